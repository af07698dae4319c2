#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pstat refuses each list of refused.tsv and each command line of refused-options.tsv: it prints one
# line with the position and the reason, exits with 125, and starts no command.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

table=$BATS_TEST_DIRNAME/refused.tsv
options=$BATS_TEST_DIRNAME/refused-options.tsv

# needs_uprobe MESSAGE: return true if only a kernel with the PMU uprobe causes this message
needs_uprobe()
{
	[[ $1 = *": no such file, library or program" || $1 = *": is not an ELF file" ]]
}

# Print the option table as lines of words: SPELLING JOBS EXCLUDES NEEDS WORDS, with "," between the
# parts of one word. WORDS are the arguments for pstat.
option_rows()
{
	"$programs/option-table" | awk -F '\t' '
	BEGIN {
		argument["choice"] = argument["list"] = ""
		argument["events"] = "cs"
		argument["number"] = argument["pids"] = argument["tids"] = 1
		argument["percent"] = 60
		argument["cpus"] = 0
		argument["cgroups"] = argument["file"] = "x"
		argument["folder"] = "/"
		argument["command"] = "true"
		text["pfm-events"] = "cycles"
		text["field-separator"] = ","
		text["parameter-list"] = "n=1"
		text["fail-if"] = "cs>+1%"
		text["min-effect"] = 1
		text["label"] = "a=1"
		text["repeat"] = text["warmup"] = 2
		text["filter"] = text["names"] = text["more-is-better"] = "a"
	}
	{
		spelling = $2 == "-" ? "--" $3 : "-" $2
		value = ""
		if ($4 == "=")
			value = "," ($3 in text ? text[$3] : argument[$6] != "" ? argument[$6] : $7)
		if ($3 == "field-separator")
			value = ",:"
		sub(/ .*/, "", value)
		before = $3 == "filter" || $3 == "cgroup" ? "-e,cs," : ""
		for (i = 8; i <= 11; i++)
			gsub(/ /, ",", $i)
		print spelling, "," $11, "," $8 ",", "," $9 ",", before spelling value
	}'
}

# refuses_pair WORDS ARG...: check that WORDS are refused with one line that has the reason
refuses_pair()
{
	local words expected=125

	[[ " ${1//,/ }" != *" --bisect"* ]] || expected=255
	IFS=, read -ra words <<<"$1"
	pstat "${words[@]}" "${@:2}"
	if [ "$status" -ne "$expected" ] || [ "$(wc -l <err)" -ne 1 ] || ! grep -qE ' cannot be combined with | needs ' err; then
		echo "$1 ${*:2}: status $status, $(<err)" >>wrong
	fi
}

@test "each list of the table is refused with its message, and nothing is started" {
	local row list column message expected symbols n=0

	pstat --version
	symbols=$(grep '^symbols of ELF files: yes' out || true)
	while IFS= read -r row; do
		list=${row%%$'\t'*}
		message=${row##*$'\t'}
		column=${row#*$'\t'}
		column=${column%%$'\t'*}
		if needs_uprobe "$message" && [ ! -e /sys/bus/event_source/devices/uprobe ]; then
			echo "not tried, this kernel has no PMU uprobe: $list"
			continue
		fi
		if [[ -z $symbols && $message = *": is not an ELF file" ]]; then
			echo "not tried, built without libelf: $list"
			continue
		fi
		pstat -e "$list" touch started
		expected="125 pstat: -e '$list', column $column: $message"
		[ "$status $(<err)" = "$expected" ] && [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ] ||
			printf '%s\n' "wanted $expected" "got    $status $(<err)" >>wrong
		[ ! -e started ] || echo "started: $list" >>wrong
		rm -f started
		((++n))
	done < <(grep -v '^#' "$table")
	[ ! -e wrong ] || fail "$(<wrong)"
	within "the number of rows" 80 "$n" 10000
}

@test "options that cannot be used are refused with their message, and nothing is started" {
	local words message n=0

	while IFS=$'\t' read -r words message; do
		eval "set -- $words"
		pstat "$@"
		[ "$status $(<err)" = "125 pstat: $message" ] && [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ] ||
			printf '%s\n' "$words" "wanted 125 pstat: $message" "got    $status $(<err)" >>wrong
		[ ! -e started ] || echo "started: $words" >>wrong
		rm -f started
		((++n))
	done < <(grep -v '^#' "$options")
	[ ! -e wrong ] || fail "$(<wrong)"
	within "the number of rows" 150 "$n" 10000
	is "repeated rows" "$(grep -v '^#' "$options" | cut -f 1 | sort | uniq -d)" ""
}

@test "each message of options/ is in the table or in another test" {
	# The text of the table and of the bats files, without escapes and line breaks.
	cat "$options" "$BATS_TEST_DIRNAME"/*.bats | tr -s '\\"\n\t ' ' ' >tested
	cat "${TOP_SRCDIR:?}"/src/options/options_{parse,check}.c | tr -d '\n\t' | sed 's/""//g' |
		grep -oE '(return|[?:]) *"[^"%{}]{20,}"' | sed 's/^[^"]*"//; s/"$//' | grep -v '^-c -L' >messages
	while read -r reason; do
		grep -qF -- "$reason" tested || echo "$reason" >>untested
	done <messages
	[ ! -e untested ] || fail "$(<untested)"
	within "the number of messages" 12 "$(wc -l <messages)" 100
}

@test "each option is refused in the jobs that do not accept it" {
	local spelling jobs excludes needs words job n=0
	declare -A choice=([compare]='-c true -c true' [files]='--compare old new' [show]='--show old'
		[list]=--list [explain]='--explain cs' [history]='--history x')

	while read -r spelling jobs excludes needs words; do
		for job in compare files show list explain history; do
			case $spelling,$job in
			--explain,* | --list,* | --show,* | --compare,* | -h,* | --help-all,* | --version,*) continue ;;
			# these options ask for something to count or to compare
			-[ptaCcL],history | --baseline,history | --history,history) continue ;;
			esac
			[[ $jobs != *,$job,* ]] || continue
			# shellcheck disable=SC2086 # several words
			refuses_pair "$words" ${choice[$job]}
			((++n))
		done
	done < <(option_rows)
	[ ! -e wrong ] || fail "$(<wrong)"
	within "the number of refused pairs" 150 "$n" 400
}

@test "each option is refused with each option that it excludes, and without the options it needs" {
	local spelling jobs excludes needs words other n=0
	declare -A words_of=()

	while read -r spelling _ _ _ words; do
		words_of[$spelling]=$words
	done < <(option_rows)
	while read -r spelling jobs excludes needs words; do
		for other in ${excludes//,/ }; do
			[[ $other != "$spelling" && -v words_of[$other] ]] || continue
			refuses_pair "$words,${words_of[$other]}" touch started
			((++n))
		done
		case $needs in
		,-, | *,COMMAND,-p,*)	;; # nothing, or any target
		*,COMMAND,*)
			refuses_pair "$words" -p 1 ;;
		*)	refuses_pair "$words" touch started ;;
		esac
	done < <(option_rows)
	[ ! -e wrong ] || fail "$(<wrong)"
	[ ! -e started ] || fail "a command was started"
	within "the number of refused pairs" 20 "$n" 200
}

@test "no row of the table is repeated, and each column is within its list or directly after it" {
	is "repeated rows" "$(grep -v '^#' "$table" | cut -f 1 | sort | uniq -d)" ""
	is "rows with a wrong column" "$(grep -v '^#' "$table" |
		awk -F '\t' 'NF != 3 || $2 < 1 || $2 > length($1) + 1')" ""
}

# tracepoint SYSTEM NAME: add a tracepoint to the machine in the folder machine
tracepoint()
{
	mkdir -p "machine/sys/kernel/tracing/events/$1/$2"
	echo 1 >"machine/sys/kernel/tracing/events/$1/$2/id"
}

@test "the suggestion for a mistyped name does not depend on the machine's tracepoints" {
	tracepoint sched sched_switch
	tracepoint kvmmmu kvm_mmu_pagetable_walk
	tracepoint xfs xfs_attr_list_sf_all
	refuses "--explain 'wall', column 1: unknown event 'wall'; did you mean 'duration_time'?" \
		--sysroot machine --explain wall
	# words of unit masks
	for cpu in amd64_fam19h_zen4 amd64_fam19h_zen3 spr skx; do
		LIBPFM_FORCE_PMU=$cpu refuses \
			"--explain 'wall', column 1: unknown event 'wall'; did you mean 'duration_time'?" \
			--sysroot machine --explain wall
	done
	refuses "--explain 'sched_swich', column 1: unknown event 'sched_swich'; did you mean 'sched:sched_switch'?" \
		--sysroot machine --explain sched_swich
	refuses "--explain 'shed:sched_switch', column 1: unknown event 'shed:sched_switch'; did you mean 'sched:sched_switch'? (there is no tracepoint group 'shed')" \
		--sysroot machine --explain shed:sched_switch
}

@test "an event of perf probe that does not exist is not mistaken for an event of an old CPU" {
	tracepoint sched sched_switch
	refuses "--explain 'probe:foo', column 1: unknown event 'probe:foo' (no such 'perf probe' event; count calls with uprobe:FILE:FUNCTION or kprobe:FUNCTION)" \
		--sysroot machine --explain probe:foo
	rm -r machine/sys/kernel
	refuses "--explain 'probe:foo', column 1: unknown event 'probe:foo' (tracefs is not mounted: mount -t tracefs nodev /sys/kernel/tracing)" \
		--sysroot machine --explain probe:foo
}
