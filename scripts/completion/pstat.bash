# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Completion of pstat(1) for bash: its options and events, and behind them the command's own words.
# Where bash-completion is loaded, the command completes these as it does when it is run alone.

# An argument that may be left away, as that of --per-cache, can only stand behind a '='.
_pstat_plain='-d --detailed -n --null --no-merge --all-user --all-kernel -a --all-cpus -i --no-inherit
	-A --no-aggr --per-core --per-cluster --per-cache --per-die --per-socket --per-node --per-thread
	--interval-clear --summary --no-csv-summary -S --sync --ignore-failure --strict --no-multiplex --scale --no-scale
	--discard --show-output --randomize-env --no-aslr --iteration --gate-scaled
	-j --json-output --metric-only --table --append -B --big-num --no-big-num --ascii --no-progress
	--quiet -v --verbose --explain --list --all --show --compare -h --help --version'
_pstat_valued='-e --event --pfm-events -M --metrics --filter -G --cgroup --for-each-cgroup -p --pid -t --tid
	-C --cpu -I --interval-print --interval-count -D --delay --timeout --control -r --repeat --warmup
	--pre --post --setup --cleanup --input --cpu-list -c --command --baseline --shell -L
	--parameter-list --names --order --seed --duration --precision --confidence --fail-if --min-effect --more-is-better
	--min-running -x --field-separator -o --output --log-fd --save --html --sysroot --format --color'

_pstat_metrics='ipc cpi branch-miss-rate l1d-miss-rate llc-miss-rate dtlb-miss-rate ghz cpus'

_pstat_events='
	cycles cpu-cycles instructions cache-references cache-misses branches branch-instructions
	branch-misses bus-cycles stalled-cycles-frontend idle-cycles-frontend stalled-cycles-backend
	idle-cycles-backend ref-cycles
	cpu-clock task-clock page-faults faults minor-faults major-faults context-switches cs
	cpu-migrations migrations alignment-faults emulation-faults cgroup-switches dummy bpf-output
	L1-dcache-loads L1-dcache-load-misses L1-dcache-stores L1-dcache-store-misses
	L1-dcache-prefetches L1-dcache-prefetch-misses
	L1-icache-loads L1-icache-load-misses L1-icache-prefetches L1-icache-prefetch-misses
	LLC-loads LLC-load-misses LLC-stores LLC-store-misses LLC-prefetches LLC-prefetch-misses
	dTLB-loads dTLB-load-misses dTLB-stores dTLB-store-misses dTLB-prefetches dTLB-prefetch-misses
	iTLB-loads iTLB-load-misses branch-loads branch-load-misses
	node-loads node-load-misses node-stores node-store-misses node-prefetches node-prefetch-misses
	duration_time user_time system_time max_rss minor_faults_rusage major_faults_rusage
	voluntary_switches involuntary_switches in_block out_block
'

# Readline splits at ':' and '=' too. Sets words to the line, up to the cursor, as the shell splits it,
# and starts to where in COMP_WORDS each of them begins.
_pstat_split()
{
	local rest=${COMP_LINE:0:COMP_POINT} i blanks word

	words=()
	starts=()
	for ((i = 0; i <= COMP_CWORD; i++)); do
		blanks=${rest%%[![:blank:]]*}
		rest=${rest#"$blanks"}
		word=${COMP_WORDS[i]}
		((i < COMP_CWORD)) || word=$rest
		rest=${rest#"$word"}
		if [[ $blanks || $i -eq 0 ]]; then
			words+=("$word")
			starts+=("$i")
		else
			words[-1]+=$word
		fi
	done
}

# _pstat_reply CANDIDATE...: each stands in the place of $value, the end of the word. Readline replaces
# its own idea of the word, which begins behind $keep.
_pstat_reply()
{
	local candidate

	for candidate; do
		candidate=$before$candidate
		COMPREPLY+=("${candidate#"$keep"}")
	done
}

# The last event of a list that may have groups in it. Terms between a PMU's slashes are no events.
_pstat_complete_events()
{
	local head=${value%"${value##*[,\{]}"} file pmu names=$_pstat_events
	local slashes=${head//[!\/]/}

	compopt -o nospace
	[[ $value != *[\'\"]* && $((${#slashes} % 2)) -eq 0 ]] || return 0
	for file in /sys/bus/event_source/devices/*/events/*; do
		[[ -e $file && ! $file =~ \.(unit|scale|per-pkg|snapshot)$ ]] || continue
		pmu=${file%/events/*}
		names+=" ${pmu##*/}/${file##*/}/"
	done
	before+=$head
	mapfile -t names < <(compgen -W "$names" -- "${value#"$head"}")
	_pstat_reply "${names[@]}"
}

# _pstat_complete_files -f|-d: files or directories
_pstat_complete_files()
{
	local names

	compopt -o filenames
	mapfile -t names < <(compgen "$1" -- "$value")
	_pstat_reply "${names[@]}"
}

_pstat_complete_words()
{
	local words

	mapfile -t words < <(compgen -W "$*" -- "$value")
	_pstat_reply "${words[@]}"
}

# _pstat_complete_list SEPARATORS WORD...: the last of a list
_pstat_complete_list()
{
	local head=${value%"${value##*["$1"]}"} words

	compopt -o nospace
	before+=$head
	mapfile -t words < <(compgen -W "${*:2}" -- "${value#"$head"}")
	_pstat_reply "${words[@]}"
}

# _pstat_numbers GLOB: what the names that match it end in
_pstat_numbers()
{
	local path

	for path in $1; do # a glob
		path=${path##*/}
		printf '%s\n' "${path##*[!0-9]}"
	done
}

# The last cgroup of a list, below where those are that the kernel counts by.
_pstat_complete_cgroups()
{
	local head=${value%"${value##*,}"} mount folder names=()

	mount=$(awk '$3 == "cgroup2" && !found { found = $2 }
		$3 == "cgroup" && $4 ~ /(^|,)perf_event(,|$)/ { found = $2 }
		END { print found }' /proc/self/mounts)
	[[ $mount ]] || return 0
	compopt -o nospace
	before+=$head
	while read -r folder; do
		names+=("${folder#"$mount"/}")
	done < <(compgen -d -- "$mount/${value#"$head"}")
	_pstat_reply "${names[@]}"
}

# _pstat_complete_value OPTION: its argument
_pstat_complete_value()
{
	case $1 in
	-e | --event)	_pstat_complete_events ;;
	-M | --metrics)	_pstat_complete_list , "$_pstat_metrics" ;;
	-G | --cgroup | --for-each-cgroup)
			_pstat_complete_cgroups ;;
	-p | --pid)	_pstat_complete_list , "$(_pstat_numbers '/proc/[0-9]*')" ;;
	-t | --tid)	_pstat_complete_list , "$(_pstat_numbers '/proc/[0-9]*/task/[0-9]*')" ;;
	-C | --cpu)	_pstat_complete_list ,- "$(_pstat_numbers '/sys/devices/system/cpu/cpu[0-9]*')" ;;
	--per-cache)	_pstat_complete_words L1 L2 L3 ;;
	--control)	_pstat_complete_words fd: fifo: region ;;
	--cpu-list)	_pstat_complete_list ,- "$(_pstat_numbers '/sys/devices/system/cpu/cpu[0-9]*')" ;;
	--pre | --post | --setup | --cleanup | -c | --command | --shell)
			_pstat_complete_commands ;;
	--order)	_pstat_complete_words random alternate sequential ;;
	-o | --output | --save | --html | --input | --baseline)
			_pstat_complete_files -f ;;
	--sysroot)	_pstat_complete_files -d ;;
	--format)	_pstat_complete_words table json csv csv-summary markdown openmetrics github ;;
	--color)	_pstat_complete_words auto always never ;;
	esac
}

# The name of a command
_pstat_complete_commands()
{
	compopt -o filenames
	mapfile -t COMPREPLY < <(compgen -c -- "$value")
}

# _pstat_complete_command N: the command begins with word N
_pstat_complete_command()
{
	if declare -F _comp_command_offset >/dev/null; then
		_comp_command_offset "${starts[$1]}"
	elif declare -F _command_offset >/dev/null; then
		_command_offset "${starts[$1]}"
	elif (($1 < ${#words[@]} - 1)); then
		compopt -o bashdefault -o default
	else
		_pstat_complete_commands
	fi
}

_pstat()
{
	local words starts looks=no shows='' option='' options=yes i
	# What is completed: the word is $before$value, and readline leaves $keep alone.
	local before='' value keep
	# Letters that take no argument may stand before one that does, and its argument right behind it.
	local bundle='^(-[dniBvhaAS]*([erxoMGptCIDcL]))(.*)$'

	COMPREPLY=()
	_pstat_split
	value=${words[-1]#[\'\"]}
	keep=${value%"$2"}
	for ((i = 1; i < ${#words[@]} - 1; i++)); do
		if [[ $option ]]; then
			option=
			continue
		fi
		case ${words[i]} in
		--)
			options=no
			((i++))
			break ;;
		--explain | --list)
			looks=yes ;;
		--show | --compare)
			shows=yes ;;
		--*)
			[[ " $_pstat_valued " != *" ${words[i]} "* ]] || option=${words[i]} ;;
		-?*)
			if [[ ${words[i]} =~ $bundle && ! ${BASH_REMATCH[3]} ]]; then
				option=-${BASH_REMATCH[2]}
			fi ;;
		*)
			[[ $shows ]] && continue # options may stand behind its files
			options=no
			break ;;
		esac
	done

	if [[ $option ]]; then
		_pstat_complete_value "$option"
	elif [[ $options = yes && $value = --*=* ]]; then
		before=${value%%=*}=
		value=${value#*=}
		_pstat_complete_value "${before%=}"
	elif [[ $options = yes && $value =~ $bundle && ${BASH_REMATCH[3]} ]]; then
		before=${BASH_REMATCH[1]}
		value=${BASH_REMATCH[3]#[\'\"]}
		_pstat_complete_value "-${BASH_REMATCH[2]}"
	elif [[ $options = yes && $value = -* ]]; then
		_pstat_complete_words "$_pstat_plain $_pstat_valued"
	elif [[ $shows ]]; then
		_pstat_complete_files -f
	elif [[ $looks = yes ]]; then
		_pstat_complete_events
	else
		_pstat_complete_command "$i"
	fi
}

complete -F _pstat pstat
