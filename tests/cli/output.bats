#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The destination of the result, and what happens if it cannot be written there.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

# Print the files in this folder that the test itself did not create.
leftovers()
{
	find . -mindepth 1 ! -name out ! -name err ! -name result ! -name started -print
}

@test "the result goes to standard error, and the output of the command is not redirected" {
	pstat -n sh -c 'echo to-out; echo to-err >&2'
	ends_with_status 0
	is "standard output" "$(<out)" to-out
	is "the first line of standard error" "$(head -n 1 err)" to-err
	grep -q 'seconds time elapsed' err || fail "no result" "$(<err)"
}

@test "comparisons and formats that perf lacks go to standard output" {
	local format

	pstat -n -r 2 -c true -c 'sh -c "echo out; echo error >&2"'
	ends_with_status 0
	grep -q '^elapsed time ' out
	pstat -n -r 2 --setup 'echo setup' --format markdown -c true -c true
	grep -q '^| elapsed time | ' out
	! grep -q setup out || fail "--setup wrote to the result:" "$(<out)"
	grep -qx setup err
	for format in csv csv-summary json markdown openmetrics; do
		pstat --format "$format" -n --discard sh -c 'echo out'
		ends_with_status 0
		grep -qE 'duration|elapsed' out || fail "$format:" "$(<out)"
		is "$format: standard error" "$(<err)" ""
	done
	pstat -x, -e duration_time --discard true
	is "standard output with -x" "$(<out)" ""
}

@test "if the command shares standard output, the result goes to standard error" {
	pstat --format csv -n -r 2 --show-output -c 'echo out' -c 'echo out'
	is "standard output" "$(sort -u out)" out
	grep -q ^command, err
	pstat --format markdown -e duration_time echo out
	is "standard output" "$(<out)" out
	grep -q '^|' err
	# shellcheck disable=SC2094 # each file has one writer
	"$PSTAT" --format markdown -e duration_time echo out 2>&1 >out | cat >err
	is "the first line" "$(head -n 1 err)" \
		"pstat: the result is on standard error: the command shares standard output; use -o FILE or --discard"
}

@test "the reader of --list, --explain, --show or --compare may stop, as head does" {
	local arguments

	pstat -n --save document true
	mkfifo pipe
	exec 8<>pipe
	exec 9>pipe 8>&-
	for arguments in --list '--explain cs' '--show document' '--compare document document' --help; do
		status=0
		# shellcheck disable=SC2086 # words
		"$bare_pstat" $arguments >&9 2>err || status=$?
		is "$arguments" "$status $(<err)" "141 "
	done
}

@test "a file begins with the date and an empty line" {
	pstat -x, -e duration_time -o result true
	ends_with_status 0
	says
	sed -n 1p result | grep -qE '^# started on [A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9]{2} [0-9:]{8} [0-9]{4}$' ||
		fail "no date" "$(<result)"
	is "the second line" "$(sed -n 2p result)" ""
	is "the event in line 3" "$(sed -n 3p result | cut -d, -f3)" duration_time
	is "lines" "$(wc -l <result)" 3
}

@test "the file of -o keeps its inode, so that a program that has it open reads the result" {
	local inode file

	echo before >result
	inode=$(stat -c %i result)
	exec {file}<result
	pstat -n -o result true
	ends_with_status 0
	is "the inode" "$(stat -c %i result)" "$inode"
	is "lines that the open file has" "$(grep -c 'seconds time elapsed' <&"$file")" 1
	pstat -n --save result true
	[ "$(stat -c %i result)" != "$inode" ] || fail "--save did not replace the file"
	exec {file}<&-
}

@test "a file is replaced and keeps its mode, or is appended to" {
	printf 'before\n' >result
	chmod 640 result
	pstat -x, -e duration_time -o result true
	ends_with_status 0
	is "lines of before" "$(grep -c before result || true)" 0
	is "its mode" "$(stat -c %a result)" 640
	pstat -x, -e user_time -o result --append true
	ends_with_status 0
	is "the rows" "$(cut -d, -f3 result | grep _time)" "duration_time
user_time"
	is "dates" "$(grep -c '^# started on ' result)" 2
	is "other files" "$(leftovers)" ""
}

@test "a new file has the mode that the umask allows" {
	umask 027
	pstat -n -o result true
	is "its mode" "$(stat -c %a result)" 640
}

@test "if the path is a link, its target is replaced" {
	mkdir folder
	ln -s folder/target result
	echo before >folder/target
	pstat -x, -e duration_time -o result true
	ends_with_status 0
	[ -L result ] || fail "the link is gone"
	grep -q duration_time folder/target || fail "no result in the target:" "$(<folder/target)"
	is "lines of before" "$(grep -c before folder/target || true)" 0
	is "other files in the folder" "$(ls folder)" target
}

@test "while the command runs, the old result remains complete" {
	echo before >result
	pstat -n -o result cp result seen
	ends_with_status 0
	is "view of the command" "$(<seen)" before
}

@test "if a result cannot be written completely, the old one and no temporary file remain" {
	echo before >result
	# shellcheck disable=SC2016 # for the other shell
	pstat_limited() {
		status=0
		sh -c 'ulimit -f 0; trap "" XFSZ; exec "$@"' sh "$bare_pstat" "$@" </dev/null 2>&1 |
			cat >err
		status=${PIPESTATUS[0]}
	}
	pstat_limited -n -o result true
	ends_with_status 125
	is "the message" "$(<err)" "pstat: cannot write the result to result: File too large"
	is "the file" "$(<result)" before
	is "other files" "$(leftovers)" ""
}

@test "a file that was created for the result and stays empty is removed" {
	local arg

	for arg in "" --append "-I 100" "-x, -I 100" "--format csv --append" "--format history --append" \
		"--format openmetrics" "--save document" "--html page"; do
		# shellcheck disable=SC2086 # several words
		pstat $arg -e nosuch -o new touch started
		ends_with_status 125
		grep -q "unknown event 'nosuch'" err || fail "$(<err)"
		# shellcheck disable=SC2086
		pstat $arg -n -o new ./missing
		ends_with_status 127
		# shellcheck disable=SC2086
		pstat $arg --strict -e software/config=999/ -o new touch started
		ends_with_status 125
		is "other files, $arg" "$(find . -name new -o -name started -o -name document -o -name page)" ""
		: >empty
		# shellcheck disable=SC2086
		pstat $arg -e nosuch -o empty true
		[ -e empty ] || fail "an existing file was removed, $arg"
		ln -sf target link
		# shellcheck disable=SC2086
		pstat $arg -e nosuch -o link true
		ends_with_status 125
		[ -L link ] && [ ! -e target ] || fail "the new target of a link was left, or the link removed, $arg"
		: >target
		# shellcheck disable=SC2086
		pstat $arg -e nosuch -o link true
		[ -L link ] && [ -e target ] || fail "the old target of a link was removed, or the link, $arg"
		rm target
	done
}

@test "a new file that cannot be written is removed" {
	local arg

	for arg in --append "--append --format csv" "--append --format history" "-x, -I 1000"; do
		status=0
		# shellcheck disable=SC2086,SC2016 # several words; for the other shell
		sh -c 'ulimit -f 0; trap "" XFSZ; exec "$@"' sh "$bare_pstat" $arg -n -o new true 2>&1 </dev/null |
			cat >err || status=${PIPESTATUS[0]}
		grep -q '^pstat: cannot write the result to new: File too large' err || fail "$arg" "$(<err)"
		[ ! -e new ] || fail "$arg left a file"
	done
}

@test "a file that cannot be written is refused before the command starts" {
	refuses "cannot write the result to nowhere/result: No such file or directory" \
		-n -o nowhere/result touch started
	refuses "cannot write the result to .: Is a directory" -n -o . touch started
	refuses "cannot write the result to /dev/null/result: Not a directory" \
		-n -o /dev/null/result touch started
	refuses "-o needs FILE" -n -o '' touch started
	refuses "cannot write the result to nowhere/result: No such file or directory" \
		-n -o nowhere/result --append touch started
}

@test "a full device gives 125 and the reason" {
	pstat -n -o /dev/full true
	ends_with_status 125
	says "pstat: cannot write the result to /dev/full: No space left on device"

	pstat -n -o /dev/full --append true
	ends_with_status 125
	says "pstat: cannot write the result to /dev/full: No space left on device"

	status=0
	"$PSTAT" -n --log-fd 9 true >out 2>err </dev/null 9>/dev/full || status=$?
	ends_with_status 125
	is "number of lines" "$(wc -l <err)" 1
	grep -q '^pstat: cannot write the result to .*: No space left on device$' err ||
		fail "no reason" "$(<err)"

	status=0
	"$PSTAT" -n true >out 2>/dev/full </dev/null || status=$?
	ends_with_status 125
}

@test "a device or a pipe is written to, not replaced" {
	pstat -n -o /dev/null true
	ends_with_status 0
	[ -c /dev/null ] || fail "/dev/null is no longer a device"
	mkfifo pipe
	timeout "$patience" cat pipe >got 3>&- &
	pstat -x, -e duration_time -o pipe true
	ends_with_status 0
	wait $!
	grep -q duration_time got || fail "no result" "$(<got)"
	[ -p pipe ] || fail "pipe is no longer a pipe"
}

@test "--log-fd writes only to the descriptor" {
	status=0
	"$PSTAT" -x, -e duration_time --log-fd 9 true >out 2>err </dev/null 9>result || status=$?
	ends_with_status 0
	says
	is "the event" "$(cut -d, -f3 result)" duration_time
	status=0
	"$PSTAT" -x, -e duration_time --log-fd 1 true >out 2>err </dev/null || status=$?
	ends_with_status 0
	is "the event" "$(cut -d, -f3 out)" duration_time
	is "standard error" "$(<err)" ""
}

@test "a closed or read-only descriptor is refused before the command starts" {
	local redirect

	for redirect in '9>&-' '9</dev/null'; do
		status=0
		eval '"$PSTAT" -n --log-fd 9 touch started >out 2>err </dev/null' "$redirect" || status=$?
		ends_with_status 125
		[ ! -e started ] || fail "the command was started"
		is "number of lines" "$(wc -l <err)" 1
		grep -q '^pstat: cannot write the result to .*: Bad file descriptor$' err ||
			fail "no reason" "$(<err)"
	done
}

@test "without standard error and another destination, the command is not started" {
	status=0
	"$bare_pstat" -n touch started >out 2>&- </dev/null || status=$?
	ends_with_status 125
	[ ! -e started ] || fail "the command was started"
	is "standard output" "$(<out)" ""
}

@test "without standard error, no message gets into the file of the result or of the command" {
	local mode

	for mode in '' --append; do
		status=0
		# shellcheck disable=SC2086 # words
		"$bare_pstat" -n -r 2 -o result $mode sh -c 'exit 3' >out 2>&- </dev/null || status=$?
		ends_with_status 3
		is "messages in the file" "$(grep -c '^pstat:' result || true)" 0
		is "results in the file" "$(grep -c 'seconds time elapsed' result)" 1
		rm result
		echo before >result
		# shellcheck disable=SC2086 # words
		"$bare_pstat" -n -o result $mode no-such-command >out 2>&- </dev/null || status=$?
		ends_with_status 127
		is "the file" "$(<result)" before
		rm result
	done
}

@test "a closed reader is an error, not a signal" {
	mkfifo pipe
	exec 8<>pipe
	exec 9>pipe
	exec 8>&-
	status=0
	"$PSTAT" -n --log-fd 9 true >out 2>err </dev/null || status=$?
	exec 9>&-
	ends_with_status 125
	grep -q '^pstat: cannot write the result to .*: Broken pipe$' err || fail "no reason" "$(<err)"
}

@test "a full or closed standard output gives 125" {
	local words

	for words in --help --version '--explain page-faults'; do
		status=0
		# shellcheck disable=SC2086 # words
		"$PSTAT" $words >/dev/full 2>err </dev/null || status=$?
		ends_with_status 125
		is "the message" "$(<err)" \
			"pstat: cannot write to standard output: No space left on device"
		status=0
		# shellcheck disable=SC2086 # words
		"$bare_pstat" $words >&- 2>err </dev/null || status=$?
		ends_with_status 125
		is "the message" "$(<err)" \
			"pstat: cannot write to standard output: Bad file descriptor"
	done
}

@test "-v prints the attr of each opened event before the result" {
	needs_counting user
	pstat -v -e '{page-faults:u,1:9:u}' true
	ends_with_status 0
	awk '/^ *config +0x2$/ { config = NR }
		/^ *config +0x9$/ { member = NR }
		/^ *exclude_kernel +1$/ { kernel = 1 }
		/^sys_perf_event_open: pid 0  cpu -1  group_fd -1  flags 0x8 = [0-9]+$/ { opened = NR }
		/Performance counter stats/ { result = NR }
		END { exit !(config && opened > config && member > opened && result > member && kernel) }' err ||
		fail "not the attrs" "$(<err)"
}

@test "-v shows the flags of an event in a cgroup" {
	needs_counting kernel
	[ "$(id -u)" -eq 0 ] || skip "only root may count whole CPUs"
	grep -qE ' - cgroup2 | - cgroup .*perf_event' /proc/self/mountinfo || skip "no cgroups are mounted"
	pstat -v -a -e cs -G / true
	ends_with_status 0
	grep -qE '^sys_perf_event_open: pid [0-9]+  cpu [0-9]+  group_fd -1  flags 0xc = [0-9]+$' err ||
		fail "not the flags" "$(<err)"
}

@test "--quiet prints nothing, however the command ends" {
	pstat --quiet -e 99:1,page-faults:u sh -c 'echo out; echo err >&2; exit 3'
	ends_with_status 3
	is "standard output" "$(<out)" out
	is "standard error" "$(<err)" err
	pstat --quiet -n -r 3 sh -c 'kill -KILL $$'
	ends_with_status 137
	says
	pstat --quiet -e page-faults:u -I 20 --summary -o result sleep 0.1
	ends_with_status 0
	says
	[ ! -e result ] || fail "a result" "$(<result)"
}

@test "--quiet does not prevent --save" {
	pstat --quiet -n --save saved true
	ends_with_status 0
	says
	grep -q '"pstat-result"' saved
}

@test "--quiet does not hide why pstat fails" {
	local reason

	refuses "no command to count: pstat [OPTIONS] COMMAND [ARG...]; see 'pstat --help'" --quiet
	pstat --quiet -n no-such-command
	ends_with_status 127
	is "lines" "$(wc -l <err)" 1
	pstat --quiet --strict -e 99:1 touch started
	ends_with_status 125
	reason=$(grep -c '^pstat: 99:1: not supported: .' err)
	is "reasons" "$reason" 1
	grep -qx 'pstat: --strict: 1 of 1 events cannot be counted; the command was not started' err
}

@test "--no-scale changes nothing if no event was multiplexed" {
	needs_counting user
	pstat -x, --no-scale -e page-faults:u "$programs/faults" 100
	ends_with_status 0
	within "page faults" 100 "$(field 1 page-faults:u)" 1000
}

@test "--no-error changes nothing if no event was multiplexed" {
	needs_counting user
	pstat -x, --no-error -e page-faults:u "$programs/faults" 100
	ends_with_status 0
	within "page faults" 100 "$(field 1 page-faults:u)" 1000
	pstat --no-error --format csv -o counts.csv -e page-faults:u "$programs/faults" 100
	ends_with_status 0
	is "the estimator" "$(tail -n 1 counts.csv | tr -d '\r' | sed 's/.*,//')" exact
}

@test "a warning reports a name that contains the separator, because perf's CSV quotes nothing" {
	needs_counting user
	pstat -v -x, -e "software/config=2,name='a,b'/u" true
	ends_with_status 0
	grep -qxF "pstat: -x ',': the name 'a,b' holds the separator; choose another one, or name the event by name=" err ||
		fail "no warning" "$(<err)"
	pstat '-x;' -e "software/config=2,name='a,b'/u" true
	is "lines" "$(wc -l <err)" 1
}

@test "--log-fd names the descriptor that cannot be written to" {
	pstat --log-fd 9 -n true 9>&-
	ends_with_status 125
	says "pstat: cannot write the result to descriptor 9: Bad file descriptor"
}

@test "-o does not change a file in a read-only folder before there is a result" {
	local folder result

	needs_root
	folder=$(mktemp -d)
	chmod 755 "$folder"
	cp "$bare_pstat" "$folder/pstat"
	result=$folder/result
	echo precious >"$result"
	chown 65534 "$result"
	run setpriv --reuid=65534 --regid=65534 --clear-groups "$folder/pstat" -o "$result" -e nosuch true
	is "status" "$status" 125
	is "the file" "$(<"$result")" precious
	run setpriv --reuid=65534 --regid=65534 --clear-groups "$folder/pstat" -n -o "$result" true
	is "status" "$status" 0
	is "lines of the old result" "$(grep -c precious "$result" || true)" 0
	is "results" "$(grep -c 'seconds time elapsed' "$result")" 1
	rm -r "$folder"
}

@test "-o keeps the owner and mode of a replaced file" {
	needs_root
	echo old >result
	chown 65534:65534 result
	chmod 640 result
	pstat -n -o result true
	ends_with_status 0
	is "owner and mode" "$(stat -c '%u:%g %a' result)" "65534:65534 640"
}

# keeps FILE MESSAGE ARG...: pstat ARG... is refused, and does not change FILE
keeps()
{
	cp "$1" before
	refuses "${@:2}"
	cmp "$1" before
}

@test "an output that is also an input is refused before it is opened, and keeps its content" {
	local other="use another file for the result"

	needs_documents
	mkdir folder
	pstat -n -r 2 --save a.json true
	pstat -n -r 2 -c true -c true --save c.json
	cp a.json folder/member.json
	ln -s a.json symbolic
	ln a.json hard
	echo text >text
	printf 'time,commit,command,one\n2026-01-02T12:00:00Z,a,true,1\n' >h.csv
	keeps a.json "--show a.json and -o a.json are the same file: $other" --show a.json --format csv -o a.json
	keeps a.json "--show a.json and -o symbolic are the same file: $other" --show a.json -o symbolic
	keeps a.json "--show symbolic and -o hard are the same file: $other" --show symbolic --append -o hard
	keeps c.json "--compare c.json and -o c.json are the same file: $other" --compare c.json -o c.json
	keeps a.json "--compare a.json and --html hard are the same file: use another file for the page" \
		--compare folder/member.json a.json --html hard
	keeps a.json "--merge a.json and -o ./a.json are the same file: $other" \
		--merge folder/member.json a.json -o ./a.json
	keeps a.json "--merge a.json and --save a.json are the same file: use another file for the document" \
		--merge a.json --save a.json
	keeps a.json "--baseline a.json and -o a.json are the same file: $other" \
		-n -r 2 --baseline a.json -o a.json touch started
	keeps a.json "--baseline hard and --save a.json are the same file: use another file for the document" \
		-n -r 2 --baseline hard --save a.json touch started
	keeps text "--input text and -o text are the same file: $other" -n --input text -o text touch started
	echo 'one: {side}' >suite
	keeps suite "--suite suite and -o suite are the same file: $other" \
		-r 2 --side old=./a --side new=./b --suite suite -o suite
	printf '1\n2\n' >list
	keeps list "-L list and -o list are the same file: $other" -r 2 -L n=@list -o list sh -c ': {n}'
	pstat -r 2 -L n=y,x=@list -o list sh -c ': {n}' # a value, not a file
	ends_with_status 0
	echo '[{"EventName": "x", "EventCode": "1"}]' >table.json
	keeps table.json "--metrics-file table.json and --save table.json are the same file: use another file for the document" \
		-M x --metrics-file table.json --save table.json touch started
	keeps h.csv "--history h.csv and -o h.csv are the same file: $other" --history h.csv -o h.csv
	keeps h.csv "--history h.csv and -o h.csv are the same file: $other" --history h.csv --append -o h.csv
	for arg in "-o h.csv" "--format history -o h.csv" "--format csv --append -o h.csv"; do
		# shellcheck disable=SC2086 # several words
		keeps h.csv "--history h.csv and -o h.csv are the same file: $other" \
			-n -r 3 --history h.csv --fail-if 'duration_time>+50%' $arg touch started
	done
	keeps h.csv "--history h.csv and --save h.csv are the same file: use another file for the document" \
		-n -r 3 --history h.csv --fail-if 'duration_time>+50%' --save h.csv touch started
	keeps folder/member.json "--history folder/member.json and -o folder/member.json are the same file: $other" \
		--history folder -o folder/member.json
	ln -s ../a.json folder/link.json
	keeps a.json "--history folder/link.json and --save a.json are the same file: use another file for the document" \
		-n -r 3 --history folder --fail-if 'duration_time>+50%' --save a.json touch started
}

@test "a descriptor that writes to an input is refused" {
	needs_documents
	pstat -n --save a.json true
	cp a.json before
	for redirection in '>>a.json' '9>>a.json --log-fd 9' '<a.json >>a.json'; do
		status=0
		file=a.json
		[[ $redirection != '<'* ]] || file=-
		eval "\"\$PSTAT\" --show $file $redirection 2>err" || status=$?
		ends_with_status 125
		grep -qE '^pstat: --show .* is the file that descriptor [19] writes to: use another file for the result$' err ||
			fail "$(<err)"
		cmp a.json before
	done
}

@test "with --bisect, an output that is also an input gives 255" {
	needs_documents
	pstat -n -r 2 --save a.json true
	pstat -n --bisect --fail-if 'duration_time>+50%' --baseline a.json -o a.json touch started
	ends_with_status 255
	says "pstat: --baseline a.json and -o a.json are the same file: use another file for the result" \
		"pstat: --bisect: abort: pstat failed, see the message above (status 255)"
	[ ! -e started ]
}

@test "a device may be an input and an output" {
	pstat -n --input /dev/null -o /dev/null --save /dev/null true
	ends_with_status 0
	says
}

@test "with few descriptors the result is written, and the command keeps its limit" {
	needs_counting user
	local events

	events=$(printf ',page-faults:u%.0s' {1..30})
	# valgrind needs its own descriptors, and changes the limit
	(ulimit -Sn 16; "$bare_pstat" -o result -e "${events#,}" sh -c 'ulimit -Sn' >out 2>err </dev/null)
	is "the limit of the command" "$(<out)" 16
	is "rows" "$(grep -c page-faults result)" 30
}

@test "no name breaks a line of -x or of a message" {
	needs_counting user
	local name=$'a\nb\e[31m\tc\177'

	pstat -x, -e "software/config=2,name='$name'/u,software/config=2,name='ä\"{}'/u" true
	ends_with_status 0
	is "the names" "$(cut -d, -f3 err)" 'a\x0ab\x1b[31m\x09c\x7f
ä"{}'
	pstat "$name"
	ends_with_status 127
	is "lines" "$(wc -l <err)" 1
	is "control characters" "$(tr -d '[:cntrl:]' <err)" "$(<err)"
}

@test "one warning reports a thread name that contains the separator, and no line is broken" {
	needs_counting user
	mkfifo pipe
	# shellcheck disable=SC2016 # for the other shell
	sh -c 'printf "x,y\nz" >/proc/$$/comm; echo >ready; read -r line <pipe' 3>&- &
	eventually '[ -e ready ]'
	pstat -v -x, -p $! --per-thread -e page-faults:u,task-clock:u sleep 0.1
	ends_with_status 0
	is "the lines" "$(grep '^x,y' err | sed -E 's/-[0-9]+,.*//')" 'x,y\x0az
x,y\x0az'
	is "the warnings" "$(grep -c "^pstat: -x ',': the name 'x,y.x0az-$!' holds the separator; choose another one$" err)" 1
	echo >pipe
	wait $!
}

@test "a signal ends the wait for a pipe that the command put in place of the result file" {
	local pid

	"$bare_pstat" -n -o result mkfifo result 2>err 3>&- &
	pid=$!
	eventually '[ -p result ]'
	# a signal before pstat opens the pipe would interrupt the command instead
	eventually "kill -TERM $pid; ! kill -0 $pid"
	[ -p result ] || fail "the pipe is gone"
}

@test "notes are not mixed with a result that goes to standard error under another name" {
	local how

	for how in '--log-fd 2' '--log-fd 1' '-o /dev/stderr'; do
		: >both
		eval "\"\$PSTAT\" -j -e 4294967295:0 $how true >>both 2>&1"
		is "lines of $how that are not JSON" "$(grep -vc '^{' both || true)" 0
		[ -s both ] || fail "nothing was written: $how"
		: >both
		eval "\"\$PSTAT\" -x, -e 4294967295:0 $how true >>both 2>&1"
		is "lines of $how with -x" "$(sed '/^# started on/d; /^$/d' both)" "<not supported>,,4294967295:0,0,100.00,,"
		: >both
		eval "\"\$PSTAT\" -e 4294967295:0 $how true >>both 2>&1"
		is "notes with $how" "$(grep -c 'pstat: 4294967295:0: not supported: no PMU of this machine has the type 4294967295$' both)" 1
	done
	: >both
	"$PSTAT" --format csv -e 4294967295:0 true 2>both
	is "lines of CSV" "$(wc -l <both)" 2
	"$PSTAT" -j -e 4294967295:0 -o result true 2>err
	is "notes with a file of JSON" "$(<err)" ""
	"$PSTAT" -e 4294967295:0 -o result true 2>err
	is "notes with a table in a file" "$(<err)" ""
	is "notes of the file" "$(grep '^# pstat:' result)" \
		"# pstat: 4294967295:0: not supported: no PMU of this machine has the type 4294967295"
}

@test "-x: a warning reports a unit that contains the separator" {
	needs_counting kernel
	pstat -v -x ' ' -e task-clock true
	is "messages" "$(grep '^pstat: ' err)" "pstat: -x ' ': 'CPUs utilized' holds the separator; choose another one"
}
