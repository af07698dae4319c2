# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of pstat(1) for fish: options, events, and the command after them, which completes its own
# arguments.

# The words from the command on, or the events of --explain and --list; empty within the options.
function __fish_pstat_words
    set -l words (commandline -opc)
    set -e words[1]
    while set -q words[1]
        switch $words[1]
            case --
                set -e words[1]
                break
            case $__fish_pstat_valued
                set -e words[1]
            case '--*'
            case '-*'
                # Letters without an argument may precede one letter with an argument.
                string match -qr -- "^-[$__fish_pstat_letters]*[$__fish_pstat_valued_letters]\$" $words[1]; and set -e words[1]
            case '*'
                break
        end
        set -e words[1]
    end
    string escape -- $words
end

function __fish_pstat_looks
    set -l words (commandline -opc)
    contains -- --explain $words; or contains -- --list $words
end

function __fish_pstat_shows
    set -l words (commandline -opc)
    contains -- --show $words; or contains -- --compare $words
end

function __fish_pstat_in_options
    contains -- -- (commandline -opc)
    and return 1
    __fish_pstat_shows
    or test -z "$(__fish_pstat_words)"
end

function __fish_pstat_command
    set -l words (__fish_pstat_words) (commandline -ct)
    string match -q -- '-*' $words[1]
    or complete "--do-complete=$(string join ' ' -- $words)"
end

# The functions of a program or library. A bare name is that of a library.
function __fish_pstat_functions
    set -l file $argv[1]
    string match -q '*/*' -- $file
    or set file (env PATH="$PATH:/sbin" ldconfig -p | awk -v name=$file '$1 == name { print $NF; exit }')
    for option in -D -a
        nm $option --defined-only -- $file 2>/dev/null
    end | awk '$2 ~ /[TtWi]/ { sub(/@.*/, "", $3); print $3 }' | sort -u
end

# What can be the event that begins with the argument.
function __fish_pstat_names_of
    set -l name (string match -r '^[^:]*:' -- $argv[1])
    if set -l probe (string match -r '^(u(?:ret)?probe:)([^:]*)(:?)' -- $argv[1])
        if test -n "$probe[4]"
            printf '%s\n' $probe[1](__fish_pstat_functions $probe[3])
        else
            printf '%s\n' $probe[2](__fish_complete_path $probe[3] | cut -f 1)
        end
    else if test -z "$name"
        printf '%s\n' $__fish_pstat_names uprobe: uretprobe: kprobe: kretprobe: mem:
        for file in /sys/bus/event_source/devices/*/events/*
            string match -qr '\.(unit|scale|per-pkg|snapshot)$' -- $file
            or string replace -r '.*/([^/]+)/events/(.*)' '$1/$2/' -- $file
        end
        string replace -r '.*/([^/]+)/$' '$1:' -- /sys/kernel/tracing/events/*/
    else if contains -- (string trim -r -c : -- $name) $__fish_pstat_names
        printf '%s\n' $name$__fish_pstat_modifiers
    else
        string replace -r '.*/([^/]+)/([^/]+)/$' '$1:$2' -- /sys/kernel/tracing/events/*/*/ | string match -- "$name*"
    end
end

# The last event of a list with groups. Terms between the slashes of a PMU are not events.
function __fish_pstat_events
    set -l token (commandline -ct | string replace -r "^(--event=|-[$__fish_pstat_letters]*e|['\"])" '')
    set -l head (string match -r '^.*[,{]' -- $token; or echo)
    set -l paths (string replace -ar 'u(ret)?probe:[^,]*' '' -- $head)
    test (math (count (string match -ar / -- $paths)) % 2) -eq 0
    and printf '%s\n' $head(__fish_pstat_names_of (string replace -r '^.*[,{]' '' -- $token))
end

# The rows of pstat itself, and the events of -e in this line.
function __fish_pstat_rows
    set -l words (commandline -opc)
    printf '%s\n' duration_time user_time system_time max_rss
    for i in (seq (math (count $words) - 1))
        contains -- $words[$i] -e --event
        and string split -n , -- (string replace -ar '[{}]' , -- $words[(math $i + 1)])
    end
end

# __fish_pstat_list OPTION SEPARATORS WORD...: the last word of a list, the argument of OPTION
function __fish_pstat_list
    set -l token (commandline -ct | string replace -r "^($argv[1]=|[\'\"])" '')
    set -l head (string match -r "^.*[$argv[2]]" -- $token; or echo)
    printf '%s\n' $head$argv[3..]
end

function __fish_pstat_pids
    for pid in (string match -r '(?<=^/proc/)[0-9]+$' -- /proc/*)
        printf '%s\t%s\n' $pid (cat /proc/$pid/comm 2>/dev/null)
    end
end

function __fish_pstat_tids
    string match -r '(?<=/task/)[0-9]+$' -- /proc/*/task/*
end

function __fish_pstat_cpus
    string match -r '(?<=/cpu)[0-9]+$' -- /sys/devices/system/cpu/cpu*
end

# Cgroups below the hierarchy that perf events use.
function __fish_pstat_cgroups
    set -l mount (awk '$3 == "cgroup2" && !found { found = $2 }
        $3 == "cgroup" && $4 ~ /(^|,)perf_event(,|$)/ { found = $2 }
        END { print found }' /proc/self/mounts)
    test -n "$mount"
    and find $mount -mindepth 1 -type d -printf '%P\n' 2>/dev/null
end

complete -c pstat -f -n __fish_pstat_in_options
# BEGIN generated by scripts/completion/update
set -g __fish_pstat_valued --event --pfm-events --metrics --filter --cgroup --for-each-cgroup --pid --tid --cpu --interval-print --interval-count --delay --timeout --control --repeat --warmup --pre --post --setup --cleanup --input --cpu-list --command --baseline --shell --parameter-list --names --order --seed --duration --precision --confidence --fail-if --min-effect --more-is-better --rows --min-running --field-separator --output --log-fd --save --html --color --format --sysroot
set -g __fish_pstat_letters dnaiASjBvh
set -g __fish_pstat_valued_letters eMGptCIDrcLxo
complete -c pstat -n __fish_pstat_in_options -s e -l event -x -a '(__fish_pstat_events)' -d 'events and {groups}, separated by commas; repeatable'
complete -c pstat -n __fish_pstat_in_options -l pfm-events -x -d 'the same, but libpfm4 alone reads each name'
complete -c pstat -n __fish_pstat_in_options -s M -l metrics -x -a '(__fish_pstat_list --metrics , ipc cpi branch-miss-rate l1d-miss-rate llc-miss-rate dtlb-miss-rate ghz cpus)' -d 'metrics such as ipc, or NAME=EXPRESSION over events'
complete -c pstat -n __fish_pstat_in_options -l filter -x -d 'count the tracepoints before it only if EXPR holds'
complete -c pstat -n __fish_pstat_in_options -s G -l cgroup -x -a '(__fish_pstat_list --cgroup , (__fish_pstat_cgroups))' -d 'count the events before it in these cgroups, one for each event'
complete -c pstat -n __fish_pstat_in_options -l for-each-cgroup -x -a '(__fish_pstat_list --for-each-cgroup , (__fish_pstat_cgroups))' -d 'count every event in each of these cgroups'
complete -c pstat -n __fish_pstat_in_options -l no-merge -d 'a row for each instance of an uncore PMU'
complete -c pstat -n __fish_pstat_in_options -s d -l detailed -d 'add cache events to the default events; -dd and -ddd add more'
complete -c pstat -n __fish_pstat_in_options -s n -l null -d 'no counters, only elapsed, user and system time'
complete -c pstat -n __fish_pstat_in_options -l all-user -d 'count user mode only, as :u on every event'
complete -c pstat -n __fish_pstat_in_options -l all-kernel -d 'count the kernel only, as :k on every event'
complete -c pstat -n __fish_pstat_in_options -s p -l pid -x -a '(__fish_pstat_list --pid , (__fish_pstat_pids))' -d 'count running processes with all their threads'
complete -c pstat -n __fish_pstat_in_options -s t -l tid -x -a '(__fish_pstat_list --tid , (__fish_pstat_tids))' -d 'count running threads'
complete -c pstat -n __fish_pstat_in_options -s a -l all-cpus -d 'count everything that runs on any CPU'
complete -c pstat -n __fish_pstat_in_options -s C -l cpu -x -a '(__fish_pstat_list --cpu ,- (__fish_pstat_cpus))' -d 'count everything that runs on these CPUs, such as 0-3,7'
complete -c pstat -n __fish_pstat_in_options -s i -l no-inherit -d 'count only the first task of the command'
complete -c pstat -n __fish_pstat_in_options -s A -l no-aggr -d 'a row for each CPU'
complete -c pstat -n __fish_pstat_in_options -l per-core -d 'a row for each core'
complete -c pstat -n __fish_pstat_in_options -l per-cluster -d 'a row for each cluster of cores'
complete -c pstat -n __fish_pstat_in_options -l per-cache -a 'L1 L2 L3' -d 'a row for each cache of LEVEL, or of the last level'
complete -c pstat -n __fish_pstat_in_options -l per-die -d 'a row for each die'
complete -c pstat -n __fish_pstat_in_options -l per-socket -d 'a row for each socket'
complete -c pstat -n __fish_pstat_in_options -l per-node -d 'a row for each NUMA node'
complete -c pstat -n __fish_pstat_in_options -l per-thread -d 'a row for each thread'
complete -c pstat -n __fish_pstat_in_options -s I -l interval-print -x -d 'print the counts every MS milliseconds'
complete -c pstat -n __fish_pstat_in_options -l interval-count -x -d 'stop counting after N intervals'
complete -c pstat -n __fish_pstat_in_options -l interval-clear -d 'clear the screen before each interval is printed'
complete -c pstat -n __fish_pstat_in_options -l summary -d 'with -I, print the usual result at the end, too'
complete -c pstat -n __fish_pstat_in_options -l no-csv-summary -d 'with -x and --summary, do not print the word summary'
complete -c pstat -n __fish_pstat_in_options -s D -l delay -x -d 'start counting after MS milliseconds; -1: only when --control enables it'
complete -c pstat -n __fish_pstat_in_options -l timeout -x -d 'stop counting after MS milliseconds, and end the command'
complete -c pstat -n __fish_pstat_in_options -l control -x -a 'fd: fifo: region' -d 'obey enable [EVENT], disable [EVENT], evlist, ping and stop from fd:N[,N], fifo:FILE[,FILE] or region'
complete -c pstat -n __fish_pstat_in_options -s r -l repeat -x -d 'run N times, show mean and standard error; 0: until interrupted'
complete -c pstat -n __fish_pstat_in_options -l warmup -x -d 'run N times first, not counted'
complete -c pstat -n __fish_pstat_in_options -l pre -x -a '(__fish_complete_command)' -d 'run CMD before each run, not counted'
complete -c pstat -n __fish_pstat_in_options -l post -x -a '(__fish_complete_command)' -d 'run CMD after each run, not counted'
complete -c pstat -n __fish_pstat_in_options -l setup -x -a '(__fish_complete_command)' -d 'run CMD once before all runs of a command, not counted'
complete -c pstat -n __fish_pstat_in_options -l cleanup -x -a '(__fish_complete_command)' -d 'run CMD once after all runs of a command, not counted'
complete -c pstat -n __fish_pstat_in_options -l input -r -F -d 'standard input of the command, opened again for each run'
complete -c pstat -n __fish_pstat_in_options -l discard -d 'discard the output of the command (default with -c)'
complete -c pstat -n __fish_pstat_in_options -l show-output -d 'with -c, show the output of the commands'
complete -c pstat -n __fish_pstat_in_options -l randomize-env -d 'change the size of the environment in each run, which moves the stack'
complete -c pstat -n __fish_pstat_in_options -l no-aslr -d 'run the command at the same addresses each time'
complete -c pstat -n __fish_pstat_in_options -l cpu-list -x -a '(__fish_pstat_list --cpu-list ,- (__fish_pstat_cpus))' -d 'run the command on these CPUs only'
complete -c pstat -n __fish_pstat_in_options -s S -l sync -d 'call sync(2) before each run'
complete -c pstat -n __fish_pstat_in_options -l ignore-failure -d 'with -r, continue after a run that fails'
complete -c pstat -n __fish_pstat_in_options -l strict -d 'do not start unless every event can be counted'
complete -c pstat -n __fish_pstat_in_options -l no-multiplex -d 'repeat the run until every event is counted unscaled'
complete -c pstat -n __fish_pstat_in_options -s c -l command -x -a '(__fish_complete_command)' -d 'compare CMD with the other -c; the first is the reference'
complete -c pstat -n __fish_pstat_in_options -l baseline -x -k -a '(__fish_complete_suffix .json)' -d 'compare the command, or each -c, with the result saved in FILE'
complete -c pstat -n __fish_pstat_in_options -l shell -x -a '(__fish_complete_command)' -d 'run each -c as SHELL -c CMD'
complete -c pstat -n __fish_pstat_in_options -s L -l parameter-list -x -d 'run and compare the command with {NAME} replaced by each value; repeatable'
complete -c pstat -n __fish_pstat_in_options -l names -x -d 'names of the sides in the result'
complete -c pstat -n __fish_pstat_in_options -l order -x -a 'random alternate sequential' -d 'order of the sides: random (default), alternate or sequential'
complete -c pstat -n __fish_pstat_in_options -l seed -x -d 'seed of the random order and of --randomize-env'
complete -c pstat -n __fish_pstat_in_options -l duration -x -d 'compare for S seconds (default: 10, or until precise)'
complete -c pstat -n __fish_pstat_in_options -l precision -x -d 'compare until the first event\'s mean is known to PCT % (default 1)'
complete -c pstat -n __fish_pstat_in_options -l confidence -x -d 'confidence of intervals and verdicts (default 95)'
complete -c pstat -n __fish_pstat_in_options -l fail-if -x -a '(__fish_pstat_list --fail-if , (__fish_pstat_rows))' -d 'exit with 1 if NAME>+X% or NAME<-X% (2: inconclusive); repeatable'
complete -c pstat -n __fish_pstat_in_options -l gate-scaled -d 'apply --fail-if to scaled counts, too'
complete -c pstat -n __fish_pstat_in_options -l min-effect -x -a '(__fish_pstat_list --min-effect , (__fish_pstat_rows))' -d 'a difference below PCT % is the same; NAME=PCT: for one event'
complete -c pstat -n __fish_pstat_in_options -l more-is-better -x -a '(__fish_pstat_list --more-is-better , (__fish_pstat_rows))' -d 'events and metrics for which more is better'
complete -c pstat -n __fish_pstat_in_options -l rows -x -a 'all asked' -d 'rows of a comparison: all (default) or asked, without pstat\'s own times and memory'
complete -c pstat -n __fish_pstat_in_options -l scale -d 'scale multiplexed counts (the default)'
complete -c pstat -n __fish_pstat_in_options -l no-scale -d 'show multiplexed counts as read'
complete -c pstat -n __fish_pstat_in_options -l min-running -x -d 'an event that ran for less of its time is <not counted> (default 5)'
complete -c pstat -n __fish_pstat_in_options -s x -l field-separator -x -d 'print perf stat\'s CSV with fields separated by SEP'
complete -c pstat -n __fish_pstat_in_options -s j -l json-output -d 'print perf stat\'s JSON, one object a line'
complete -c pstat -n __fish_pstat_in_options -l metric-only -d 'print only derived numbers, no counts'
complete -c pstat -n __fish_pstat_in_options -l table -d 'with -r, also print a table of the time of each run'
complete -c pstat -n __fish_pstat_in_options -s o -l output -r -F -d 'write the result to FILE'
complete -c pstat -n __fish_pstat_in_options -l append -d 'with -o, append to FILE'
complete -c pstat -n __fish_pstat_in_options -l log-fd -x -d 'write the result to descriptor N'
complete -c pstat -n __fish_pstat_in_options -l save -r -F -d 'also write the whole result to FILE, as --format json does'
complete -c pstat -n __fish_pstat_in_options -l html -r -F -d 'also write the result to FILE, as a page with charts'
complete -c pstat -n __fish_pstat_in_options -s B -l big-num -d 'thousands separators in every locale'
complete -c pstat -n __fish_pstat_in_options -l no-big-num -d 'no thousands separators'
complete -c pstat -n __fish_pstat_in_options -l color -x -a 'auto always never' -d 'colour in the table: auto (default), always or never'
complete -c pstat -n __fish_pstat_in_options -l draw -d 'draw the runs of a comparison (default on a terminal)'
complete -c pstat -n __fish_pstat_in_options -l no-draw -d 'do not draw the runs'
complete -c pstat -n __fish_pstat_in_options -l ascii -d 'draw comparisons with ASCII characters only'
complete -c pstat -n __fish_pstat_in_options -l no-progress -d 'do not show the progress of the runs'
complete -c pstat -n __fish_pstat_in_options -l format -x -a 'table json csv csv-summary markdown openmetrics github' -d 'table, json, csv, csv-summary, markdown, openmetrics or github'
complete -c pstat -n __fish_pstat_in_options -l quiet -d 'print no result, and only error messages'
complete -c pstat -n __fish_pstat_in_options -s v -l verbose -d 'print each event as it is opened'
complete -c pstat -n __fish_pstat_in_options -l sysroot -x -a '(__fish_complete_directories)' -d 'read /sys and /proc below DIR'
complete -c pstat -n __fish_pstat_in_options -l explain -d 'explain the events given as arguments; count nothing'
complete -c pstat -n __fish_pstat_in_options -l list -d 'list the events that match the GLOB given as argument, or all'
complete -c pstat -n __fish_pstat_in_options -l all -d 'with --list, also events of PMUs that this machine lacks'
complete -c pstat -n __fish_pstat_in_options -l show -d 'print the saved documents given as arguments; - is stdin'
complete -c pstat -n __fish_pstat_in_options -l compare -d 'compare the saved documents given as arguments with the first of them'
complete -c pstat -n __fish_pstat_in_options -s h -l help -d 'print this help'
complete -c pstat -n __fish_pstat_in_options -l version -d 'print the version'
set -g __fish_pstat_modifiers u k h I G H p pp ppp P D e W b S
set -g __fish_pstat_names (string match -ar '\S+' -- '
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
')
# END
complete -c pstat -n __fish_pstat_shows -k -a '(__fish_complete_suffix .json)'
complete -c pstat -n __fish_pstat_looks -f -a '(__fish_pstat_events)' -d Event
complete -c pstat -n 'not __fish_pstat_looks; and not __fish_pstat_shows' -a '(__fish_pstat_command)' -d Command
