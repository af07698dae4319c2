# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh source-path=SCRIPTDIR/.. source=lib.sh
# --per-process: a tree of 50 processes in which each program has a known number of instructions.
# Processes of the tree fork and vfork, execute up to three programs, have threads, execute a program
# in a thread, fail, and are killed by signals.
. /lab/lib.sh
plan 18 single

root=$(program root)

# counts_of HOW: print the rows that --by HOW should have for the tree: the name of a program and its
# count, sorted
counts_of()
{
	awk -v how="$1" '
		function read(program, what, line) {
			line = ""
			getline line <("/lab/programs/" program "." what)
			close("/lab/programs/" program "." what)
			return line
		}
		function row(of, name, count) {
			if (of == how || of == "process" && how == "tree")
				print name, count
			if (of == "exec" && how == "name")
				sums[name] += count
		}
		# A process that executes a program, after its stub. Returns its sum with all descendants.
		function visit(program, stub, own, sum, names, n, i, has_children, last) {
			own = stub
			sum = 0
			for (; program != ""; program = read(program, "next")) {
				own += read(program, "expected_self")
				row("exec", program, read(program, "expected_self"))
				n = split(read(program, "children"), names, " ")
				for (i = 1; i <= n; i++) {
					has_children = 1
					sum += create(program, names[i])
				}
				last = program
			}
			row("process", last, own)
			if (has_children && how == "tree")
				print last, own + sum
			return own + sum
		}
		function create(parent, program, count) {
			count = read(parent, program == "copy" ? "expected_copy" : "expected_stub")
			row("exec", parent, count)
			if (program != "copy")
				return visit(program, count)
			row("process", parent, count)
			return count
		}
		BEGIN {
			total = visit("root", 0)
			for (name in sums)
				print name, sums[name]
			if (how == "total")
				print total
		}' | sort
}

# counts_found EVENT: print the rows of the last run in this form. Only --format csv has the sums of
# the tree.
counts_found()
{
	if [ "$how" = tree ]; then
		awk -F, -v event="$1" '
			NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
			$column["event"] == event { print $column["program"], $column["value"] }' "$tmp/rows" | sort
		return
	fi
	awk -F, -v event="$1" "$fields"'
		is_row_of(event) {
			sub(/-[0-9]+$/, "", place)
			print place, state
		}' "$tmp/rows" | sort
}

# The first event of the list is instructions:u.
events=instructions:u

# exact HOW [OPTION...]: each row of --by HOW has the known count
exact()
{
	how=$1
	shift
	[ "$how" != tree ] || format=--format=csv
	count --per-process --by "$how" -e "$events" "$@" "$root"
	counts_of "$how" >"$tmp/expected"
	counts_found "${events%%,*}" >"$tmp/found"
	diff "$tmp/expected" "$tmp/found"
	printed_no_messages
}

has_fifty_processes()
{
	equal processes 50 "$(counts_of process | wc -l)"
	equal 'different programs' 15 "$(counts_of name | wc -l)"
	count --per-process --by process -e "$events" "$root"
	rows instructions:u 50 "value > 0 && running == 100"
}

equals_inherited_count()
{
	count -e instructions:u "$root"
	rows instructions:u 1 "value == $(counts_of total)"
	count --per-process --by exec -e instructions:u "$root"
	equal "the sum" "$(counts_of total)" "$(sum instructions:u)"
}

each_of_three_runs()
{
	exact name -r 3
	rows instructions:u 15 "spread == 0"
	printed_no_messages
}

plain_user()
{
	echo 2 >/proc/sys/kernel/perf_event_paranoid
	via=as_plain_user
	exact "$1"
}

# Without tracefs, threads cannot inherit a kprobe, so each thread has counters of its own.
counters_of_threads()
{
	umount /sys/kernel/tracing
	events=instructions:u,kprobe:__arm64_sys_getpid
	status=0
	(
		set -e
		exact "$1"
		# the programs that send themselves a signal
		equal calls 5 "$(sum kprobe:__arm64_sys_getpid)"
	) || status=$?
	mount -t tracefs tracefs /sys/kernel/tracing
	return $status
}

# Twelve events share seven counters.
multiplexed()
{
	medium=$(program medium)
	list=instructions:u
	for i in $(seq 11); do
		list=$list,armv8_pmuv3/event=8,name=event$i/u
	done
	count --per-process --by process -e "$list" sh -c "$medium; $medium; :"
	for event in instructions:u event1 event11; do
		rows "$event" 2 "near(value, $(expected medium)) && running < 90" \
			'place ~ /^medium/'
	done
	pstat --per-process -e "$list" sh -c "$medium; $medium; :" 2>"$tmp/err"
	grep -q '^~: scaled' "$tmp/err"
	# the row of the shell, which may be marked, too, ends with a colon
	equal 'marked rows' 2 "$(grep -c "~.* $medium\$" "$tmp/err")"
}

# probe EVENT: each process has its own calls
probe()
{
	calls=$(program calls)
	count --per-process --by process -e "$1,instructions:u" sh -c "$calls; $calls; $calls; :"
	rows "$1" 3 "value == $(expected calls calls) && running == 100" 'place ~ /^calls/'
	count --per-process --by name -r 2 -e "$1" sh -c "$calls; $calls; $calls; :"
	rows "$1" 1 "value == 3 * $(expected calls calls) && spread == 0" 'place == "calls"'
}

# One after the other.
thousand_executing()
{
	count --per-process --by process -e instructions:u "$(program thousand)"
	each=$(($(expected thousand stub) + $(expected plain)))
	rows instructions:u 1000 "value == $each" 'place ~ /^plain/'
	rows instructions:u 1 "value == $(expected thousand)" 'place ~ /^thousand/'
	printed_no_messages
}

# All at the same time.
thousand_at_once()
{
	count --per-process --by process -e instructions:u "$(program crowding)"
	rows instructions:u 1001 "value > 0"
	equal "the sum" "$(expected crowding)" "$(sum instructions:u)"
	printed_no_messages
}

check "the tree has 50 processes, each of them a row" has_fifty_processes
for how in process exec name tree; do
	check "--by $how: each count is exact" exact $how
done
check "the sum is exact, and that of a count without --per-process" equals_inherited_count
check "-r 3: each run is exact" each_of_three_runs
for how in process exec name tree; do
	check "a user at perf_event_paranoid 2, --by $how: each count is exact" plain_user $how
done
for how in process exec; do
	check "with counters on each thread, --by $how: each count is exact" counters_of_threads $how
done
check "more events than counters: the rows are marked as scaled" multiplexed
check "kprobe: the calls of each process" probe kprobe:__arm64_sys_getppid
check "uprobe: the calls of each process" probe "uprobe:$(program calls):called"
check "1,000 processes, one after the other, are counted exactly" thousand_executing
check "1,000 processes at the same time are counted exactly" thousand_at_once
