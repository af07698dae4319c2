#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A result that cannot be written, in every format: pstat exits with 125, the user sees the reason,
# the command is not disturbed, and the file is the old or the new one.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

# More than a pipe or a buffer of stdio holds.
large=duration_time$(printf ',duration_time%.0s' {1..2999})
small=duration_time,user_time

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	mapfile -t formats < <(formats)
	[ "${#formats[@]}" -ge 8 ] || fail "too few formats:" "${formats[@]}"
	printf '%s\n' '#!/bin/sh' 'echo to-out' 'echo to-err >&2' 'echo >started' >./command
	chmod +x ./command
}

# Every format, as an option.
formats()
{
	printf '%s\n' -x, -j
	"$bare_pstat" --format nosuch true 2>&1 | sed 's/.*choose from: /--format=/; s/, /\n--format=/g'
}

# $large_formats: those in which $large is more than any buffer between pstat and a reader holds.
find_large_formats()
{
	local format

	large_formats=()
	for format in "${formats[@]}"; do
		"$bare_pstat" -o document "$format" -e "$large" true </dev/null
		[ "$(wc -c <document)" -lt 100000 ] || large_formats+=("$format")
	done
	rm document
	[ "${#large_formats[@]}" -ge 6 ] || fail "too few large formats:" "${large_formats[@]}"
}

# Whether the format $1 accepts --append.
may_be_appended()
{
	! "$bare_pstat" "$1" -o /dev/null --append true 2>&1 | grep -q '^pstat: --append cannot be combined'
}

# was_reported NAME REASON [FILE]: check for status 125, one line with NAME and REASON in FILE
# (default: err), and that the command ran
was_reported()
{
	[ "$status" -eq 125 ] || fail "$format: status $status, not 125" "$(<"${3-err}")"
	is "$format: messages" "$(grep '^pstat: ' "${3-err}")" "pstat: cannot write the result to $1: $2"
	[ -e started ] || fail "$format: the command did not run"
	rm started
}

# An empty folder: it has only the files that a test creates.
is_clean()
{
	is "$format: what else is there" \
		"$(find . -mindepth 1 ! -name out ! -name err ! -name old ! -name command ! -name pipe)" ""
}

needs_strace()
{
	needs_command strace
	strace -o /dev/null true 2>/dev/null || skip "strace may not trace here"
}

# needs_mounts: skip if this test cannot mount a file system of its own
needs_mounts()
{
	local reason

	reason=$(unshare -m mount -t tmpfs none "$BATS_TEST_TMPDIR" 2>&1) ||
		skip "a file system cannot be mounted here: $reason"
}

# on_disk SIZE SCRIPT: run SCRIPT in a shell whose folder is a file system of that size
on_disk()
{
	mkdir -p disk
	status=0
	# shellcheck disable=SC2016 # for the other shell
	PSTAT=$PSTAT EVENTS=$large unshare -m sh -c 'mount -t tmpfs -o "size=$1" none disk && cd disk && eval "$2"' \
		sh "$1" "$2" </dev/null || status=$?
}

@test "a full device is reported however it is named, in every format" {
	local format events

	for format in "${formats[@]}"; do
		for events in "$small" "$large"; do
			pstat -o /dev/full "$format" -e "$events" ./command
			was_reported /dev/full "No space left on device"
			is "$format: the command's output" "$(<out)" to-out
			if may_be_appended "$format"; then
				pstat -o /dev/full --append "$format" -e "$events" ./command
				was_reported /dev/full "No space left on device"
			fi
			pstat --log-fd 9 "$format" -e "$events" ./command 9>/dev/full
			was_reported "descriptor 9" "No space left on device"
			pstat -o /dev/fd/9 "$format" -e "$events" ./command 9>/dev/full
			was_reported /dev/fd/9 "No space left on device"
			status=0
			"$bare_pstat" "$format" -e "$events" ./command >out 2>/dev/full </dev/null ||
				status=$?
			ends_with_status 125
			rm started
		done
	done
	is_clean
}

@test "a reader that exits after one line is reported in every format" {
	local format

	find_large_formats
	for format in "${large_formats[@]}"; do
		mkfifo pipe
		head -n 1 pipe >line 3>&- &
		pstat --log-fd 9 "$format" -e "$large" ./command 9>pipe
		wait $!
		was_reported "descriptor 9" "Broken pipe"
		head -n 1 pipe >line 3>&- &
		pstat -o pipe "$format" -e "$large" ./command
		wait $!
		was_reported pipe "Broken pipe"
		rm pipe line
	done
	is_clean
}

@test "head -1 as the reader of standard error ends pstat with 125, not with a signal" {
	local format

	find_large_formats
	for format in "${large_formats[@]}"; do
		{
			"$bare_pstat" "$format" -e "$large" true 2>&1 >/dev/null </dev/null ||
				echo $? >status
		} | head -n 1 >line
		is "$format: the status" "$(<status)" 125
		rm status
	done
}

# limited ARG...: like pstat, but no file may exceed a kilobyte
limited()
{
	status=0
	(ulimit -f 1 && exec "$bare_pstat" "$@" >out 2>err </dev/null) || status=$?
}

@test "a file size limit is an error, not a signal, and the old file remains, in every format" {
	local format

	echo before >old
	find_large_formats
	for format in "${large_formats[@]}"; do
		limited -o old "$format" -e "$large" ./command
		was_reported old "File too large"
		is "$format: the file" "$(<old)" before
		if may_be_appended "$format"; then
			limited -o old --append "$format" -e "$large" ./command
			was_reported old "File too large"
		fi
		is "$format: the file" "$(<old)" before
		# pstat removes the part that it wrote, which leaves room for the message
		limited "$format" -e "$large" ./command
		was_reported "standard error" "File too large"
		is "$format: the first line" "$(head -n 1 err)" to-err
		is "$format: lines" "$(wc -l <err)" 2
	done
	is_clean
}

@test "the command still gets the signal of its limit" {
	limited -n sh -c 'exec head -c 10000 /dev/zero'
	ends_with_status 153
}

@test "a full disk leaves the old file, even if it fills in the middle of a document" {
	local format append

	needs_mounts
	find_large_formats
	for format in "${large_formats[@]}"; do
		append="--append -o"
		may_be_appended "$format" || append="-o"
		# shellcheck disable=SC2016 # for the other shell
		format=$format append=$append on_disk 32k '
			echo before >old
			for how in "-o old" "$append old" "-o new" "$append new"; do
				"$PSTAT" $how "$format" -e "$EVENTS" ../command >../out 2>../err
				echo "$? $(cat ../err)"
			done
			cat old
			ls -A
			"$PSTAT" "$format" -e "$EVENTS" ../command 2>err >../out
			echo "$? $(grep ^pstat: err)"
			tail -c 1000000 err | wc -l' >seen
		is "$format" "$(sed '/^125 to-err$/d; s/^to-err$//' seen)" "$(printf '%s\n' \
			"pstat: cannot write the result to old: No space left on device" \
			"pstat: cannot write the result to old: No space left on device" \
			"pstat: cannot write the result to new: No space left on device" \
			"pstat: cannot write the result to new: No space left on device" \
			before old started \
			"125 pstat: cannot write the result to standard error: No space left on device" 2)"
		is "$format: status of 125" "$(grep -c '^125 to-err$' seen)" 4
	done
}

@test "an interval that does not fit a full disk is not written in part" {
	needs_mounts
	# shellcheck disable=SC2016 # for the other shell
	on_disk 8k '
		head -c 4000 /dev/zero >ballast
		"$PSTAT" -x, -I 20 -e duration_time,user_time,system_time,max_rss -o rows \
			sh -c "sleep 0.4; head -c 4096 /dev/zero >more 2>/dev/null
				until grep -q \"cannot write\" ../err; do sleep 0.05; done" 2>../err
		echo "$? $(grep -v -e "max_rss: [0-9]* of" -e "ended late" ../err)"
		tail -c 1 rows | od -An -c
		sed 1,2d rows | awk -F, "NF != 8 || !/,,\$/"
		grep -c duration_time rows' >seen
	is "message" "$(head -n 1 seen)" "125 pstat: cannot write the result to rows: No space left on device"
	is "the last character" "$(sed -n '2s/ //gp' seen)" '\n'
	is "lines" "$(wc -l <seen)" 3
	within "intervals" 1 "$(sed -n 3p seen)" 60
}

@test "if a new file, name or owner is impossible, pstat reports it or overwrites the old file" {
	needs_mounts
	# shellcheck disable=SC2016 # for the other shell
	on_disk 100k '
		mount -o remount,nr_inodes=3 none . && cd . && cd ../disk
		echo before >old && echo >other
		"$PSTAT" -n --save old true 2>&1 >/dev/null | grep "^pstat"
		cat old
		"$PSTAT" -n -o old true 2>&1
		echo $? $(grep -c before old) $(grep -c "seconds time elapsed" old)' >seen
	is "without another inode" "$(<seen)" "pstat: cannot write the result to old: No space left on device
before
0 0 1"
	# like a single file of the host in a container
	# shellcheck disable=SC2016 # for the other shell
	on_disk 100k '
		echo before >source && echo >old && mount --bind source old
		"$PSTAT" -n -o old true 2>&1
		echo $? $(grep -c before source) $(grep -c "seconds time elapsed" source) $(ls)' >seen
	is "a mount point" "$(<seen)" "0 0 1 old source"
	# shellcheck disable=SC2016 # for the other shell
	on_disk 100k '
		echo before >old
		"$PSTAT" -n --save old -o /dev/null mount -o remount,ro none . 2>&1
		echo $? $(cat old)' >seen
	is "a disk that became read-only" "$(<seen)" "pstat: cannot write the result to old: Read-only file system
125 before"
}

@test "a folder that the command removes is reported, and one that it creates again gets the result" {
	mkdir folder
	pstat -n -o folder/result rm -r folder
	ends_with_status 125
	says "pstat: cannot write the result to folder/result: No such file or directory"
	mkdir folder
	pstat -n -o folder/result sh -c 'rm -r folder; mkdir folder'
	ends_with_status 0
	is "results" "$(grep -c 'seconds time elapsed' folder/result)" 1
}

@test "a /dev/fd path means the descriptor: the old content remains, and later output follows" {
	{
		echo before
		"$PSTAT" -x, -e duration_time -o /dev/stdout true
		echo behind
	} >out 2>err
	is "the lines" "$(sed -E 's/^# started.*/date/; s/^[0-9]+,/N,/; s/,[0-9]+,100\.00/,N,100.00/' out)" \
		"before
date

N,ns,duration_time,N,100.00,,
behind"
	is "standard error" "$(<err)" ""
}

@test "nothing is lost if standard output or standard input is closed" {
	local format

	for format in "${formats[@]}"; do
		status=0
		"$bare_pstat" "$format" -e "$small" true >&- <&- 2>err || status=$?
		ends_with_status 0
		"$bare_pstat" "$format" -e "$small" -o old true >&- <&- 2>err || status=$?
		ends_with_status 0
		is "standard error" "$(<err)" ""
		[ -s old ] || fail "$format: no result"
		rm old
	done
}

@test "without standard error the reason is shown on the terminal" {
	local redirection

	alone_on_dev_tty
	for redirection in '2>/dev/full' '2>&-'; do
		"$programs/on-terminal" never /bin/sh -c "exec '$bare_pstat' -n true $redirection" >terminal \
			</dev/null 3>&- || status=$?
		ends_with_status 125
		grep -qE '^pstat: cannot write the result to standard error: (No space left on device|Bad file descriptor).?$' \
			terminal || fail "$redirection: no message:" "$(<terminal)"
	done
	"$programs/on-terminal" never /bin/sh -c "exec '$bare_pstat' --version >/dev/full 2>&1" >terminal \
		</dev/null 3>&- || status=$?
	ends_with_status 125
	grep -q '^pstat: cannot write to standard output: No space left on device' terminal ||
		fail "no message:" "$(<terminal)"
}

@test "an error on standard output is also reported for output longer than a buffer" {
	local words

	for words in '--list' '--list --format json' '--help'; do
		# shellcheck disable=SC2086 # words
		pstat_to_full=$("$bare_pstat" $words 2>&1 >/dev/full </dev/null) || status=$?
		ends_with_status 125
		is "the message" "$pstat_to_full" \
			"pstat: cannot write to standard output: No space left on device"
		# shellcheck disable=SC2086 # words
		(ulimit -f 1 && "$bare_pstat" $words >out 2>err </dev/null) || status=$?
		ends_with_status 125
		is "the message" "$(<err)" "pstat: cannot write to standard output: File too large"
	done
	mkfifo pipe
	head -n 1 pipe >line 3>&- &
	status=0
	"$bare_pstat" --list --all >pipe 2>err </dev/null || status=$?
	wait $!
	[ "$(wc -c <err)" -eq 0 ] || {
		ends_with_status 125
		is "the message" "$(<err)" "pstat: cannot write to standard output: Broken pipe"
	}
}

@test "if only one of --save and the result has a full device, the other one is written" {
	echo before >old
	limited --save old -x, -e "$large" -o /dev/null ./command
	was_reported old "File too large"
	is "the file" "$(<old)" before
	limited --save old -x, -e duration_time ./command
	was_reported old "File too large"
	is "the events shown" "$(awk -F, 'NF > 3 { print $3 }' err)" duration_time
	pstat --save /dev/full -x, -e duration_time ./command
	was_reported /dev/full "No space left on device"
	is "the events shown" "$(awk -F, 'NF > 3 { print $3 }' err)" duration_time
	pstat --save old -e duration_time -o /dev/full ./command
	was_reported /dev/full "No space left on device"
	grep -q '"pstat-result"' old || fail "the document was not saved"
	is_clean
}

# SIGNAL arrives while pstat writes the file: the file is complete, and pstat ends as without
# SIGNAL.
is_whole_despite()
{
	echo before >old
	status=0
	ASAN_OPTIONS=detect_leaks=0 strace -qq -o trace -e trace=fsync -e inject=fsync:signal="$1" \
		env --default-signal="$1" "$bare_pstat" -n -o old true >out 2>err </dev/null 3>&- || status=$?
	grep -q '^fsync.* = 0' trace || fail "$1: the file was not written during the signal:" "$(<trace)"
	rm trace
	is "$1: results" "$(grep -c 'seconds time elapsed' old)" 1
	ends_with_status 0
	is_clean
}

@test "a signal during the write of the file leaves a complete file, and no temporary file" {
	local signal format

	needs_strace
	for signal in INT TERM HUP QUIT; do
		format=$signal
		is_whole_despite "$signal"
	done
}

@test "pstat waits for a non-blocking standard error" {
	needs_command python3
	python3 - "$bare_pstat" "$large" <<-'END' || fail "the result is not whole"
		import fcntl, os, subprocess, sys, time
		read_end, write_end = os.pipe()
		fcntl.fcntl(write_end, fcntl.F_SETFL, os.O_NONBLOCK)
		pstat = subprocess.Popen([sys.argv[1], "-x,", "-e", sys.argv[2], "true"], stderr=write_end)
		os.close(write_end)
		time.sleep(0.3)
		lines = os.fdopen(read_end).read().splitlines()
		sys.exit(pstat.wait() != 0 or len(lines) != 3000)
	END
}
