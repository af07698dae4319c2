# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of pstat(1) for fish: its options and events, and behind them the command, which completes
# as it does when it is run alone.

# The words from the command on, or the events of --explain and --list; nothing while options are typed.
function __fish_pstat_words
    set -l words (commandline -opc)
    set -e words[1]
    while set -q words[1]
        switch $words[1]
            case --
                set -e words[1]
                break
            case --event --pfm-events --metrics --filter --cgroup --for-each-cgroup --pid --tid --cpu \
                    --interval-print --interval-count --delay --timeout --control --repeat --warmup \
                    --pre --post --setup --cleanup --input --cpu-list --command --baseline --shell \
                    --parameter-list --names --order --seed --duration --precision --confidence --fail-if --min-effect \
                    --more-is-better --min-running --field-separator --output --log-fd --save --html --sysroot --format --color
                set -e words[1]
            case '--*'
            case '-*'
                # Letters that take no argument may stand before one that does.
                string match -qr -- '^-[dniBvhaASj]*[erxoMGptCIDcL]$' $words[1]; and set -e words[1]
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

# The last event of a list that may have groups in it. Terms between a PMU's slashes are no events.
function __fish_pstat_events
    set -l events (string match -ar '\S+' -- '
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
    for file in /sys/bus/event_source/devices/*/events/*
        string match -qr '\.(unit|scale|per-pkg|snapshot)$' -- $file
        or set -a events (string replace -r '.*/([^/]+)/events/(.*)' '$1/$2/' -- $file)
    end

    set -l token (commandline -ct | string replace -r '^(--event=|-[dniBvhaAS]*e|[\'"])' '')
    set -l head (string match -r '^.*[,{]' -- $token; or echo)
    test (math (count (string match -ar / -- $head)) % 2) -eq 0
    and printf '%s\n' $head$events
end

# __fish_pstat_list OPTION SEPARATORS WORD...: the last of a list, the argument of OPTION
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

function __fish_pstat_cpus
    string match -r '(?<=/cpu)[0-9]+$' -- /sys/devices/system/cpu/cpu*
end

# Below where those cgroups are that the kernel counts by.
function __fish_pstat_cgroups
    set -l mount (awk '$3 == "cgroup2" && !found { found = $2 }
        $3 == "cgroup" && $4 ~ /(^|,)perf_event(,|$)/ { found = $2 }
        END { print found }' /proc/self/mounts)
    test -n "$mount"
    and find $mount -mindepth 1 -type d -printf '%P\n' 2>/dev/null
end

complete -c pstat -f -n __fish_pstat_in_options
complete -c pstat -n __fish_pstat_in_options -s e -l event -x -a '(__fish_pstat_events)' -d 'Events and groups to count'
complete -c pstat -n __fish_pstat_in_options -l pfm-events -x -d 'The same, by names of libpfm4'
complete -c pstat -n __fish_pstat_in_options -s M -l metrics -x -a '(__fish_pstat_list --metrics , ipc cpi branch-miss-rate l1d-miss-rate llc-miss-rate dtlb-miss-rate ghz cpus)' -d 'Metrics, or NAME=EXPRESSION over events'
complete -c pstat -n __fish_pstat_in_options -l filter -x -d 'Count the tracepoints before it only where EXPR holds'
complete -c pstat -n __fish_pstat_in_options -s G -l cgroup -x -a '(__fish_pstat_list --cgroup , (__fish_pstat_cgroups))' -d 'Count the events before it in these cgroups'
complete -c pstat -n __fish_pstat_in_options -l for-each-cgroup -x -a '(__fish_pstat_list --for-each-cgroup , (__fish_pstat_cgroups))' -d 'Count every event in each of these cgroups'
complete -c pstat -n __fish_pstat_in_options -l no-merge -d 'A row for each instance of an uncore PMU'
complete -c pstat -n __fish_pstat_in_options -s d -l detailed -d 'Add cache events to the default ones'
complete -c pstat -n __fish_pstat_in_options -s n -l null -d 'No counters, only elapsed, user and system time'
complete -c pstat -n __fish_pstat_in_options -l all-user -d 'Count user mode only'
complete -c pstat -n __fish_pstat_in_options -l all-kernel -d 'Count the kernel only'
complete -c pstat -n __fish_pstat_in_options -s p -l pid -x -a '(__fish_pstat_list --pid , (__fish_pstat_pids))' -d 'Count running processes'
complete -c pstat -n __fish_pstat_in_options -s t -l tid -x -d 'Count running threads'
complete -c pstat -n __fish_pstat_in_options -s a -l all-cpus -d 'Count all CPUs'
complete -c pstat -n __fish_pstat_in_options -s C -l cpu -x -a '(__fish_pstat_list --cpu ,- (__fish_pstat_cpus))' -d 'Count these CPUs'
complete -c pstat -n __fish_pstat_in_options -s i -l no-inherit -d 'Count the command\'s first task alone'
complete -c pstat -n __fish_pstat_in_options -s A -l no-aggr -d 'A row for each CPU'
complete -c pstat -n __fish_pstat_in_options -l per-core -d 'A row for each core'
complete -c pstat -n __fish_pstat_in_options -l per-cluster -d 'A row for each cluster of cores'
complete -c pstat -n __fish_pstat_in_options -l per-cache -a 'L1 L2 L3' -d 'A row for each cache'
complete -c pstat -n __fish_pstat_in_options -l per-die -d 'A row for each die'
complete -c pstat -n __fish_pstat_in_options -l per-socket -d 'A row for each socket'
complete -c pstat -n __fish_pstat_in_options -l per-node -d 'A row for each NUMA node'
complete -c pstat -n __fish_pstat_in_options -l per-thread -d 'A row for each thread'
complete -c pstat -n __fish_pstat_in_options -s I -l interval-print -x -d 'Print what was counted every MS milliseconds'
complete -c pstat -n __fish_pstat_in_options -l interval-count -x -d 'With -I, stop counting after N intervals'
complete -c pstat -n __fish_pstat_in_options -l interval-clear -d 'With -I, clear the screen before each block'
complete -c pstat -n __fish_pstat_in_options -l summary -d 'With -I, print the usual result at the end, too'
complete -c pstat -n __fish_pstat_in_options -l no-csv-summary -d 'With CSV, no word before the summary'
complete -c pstat -n __fish_pstat_in_options -s D -l delay -x -d 'Start counting MS milliseconds later'
complete -c pstat -n __fish_pstat_in_options -l timeout -x -d 'Stop counting after MS milliseconds'
complete -c pstat -n __fish_pstat_in_options -l control -x -a 'fd: fifo: region' -d 'Obey enable, disable, ping, stop'
complete -c pstat -n __fish_pstat_in_options -s r -l repeat -x -d 'Run N times'
complete -c pstat -n __fish_pstat_in_options -l warmup -x -d 'Run N times before, not counted'
complete -c pstat -n __fish_pstat_in_options -l pre -x -a '(__fish_complete_command)' -d 'Run a command before each run'
complete -c pstat -n __fish_pstat_in_options -l post -x -a '(__fish_complete_command)' -d 'Run a command after each run'
complete -c pstat -n __fish_pstat_in_options -l setup -x -a '(__fish_complete_command)' -d 'Run a command once before all runs'
complete -c pstat -n __fish_pstat_in_options -l cleanup -x -a '(__fish_complete_command)' -d 'Run a command once after all runs'
complete -c pstat -n __fish_pstat_in_options -l input -r -F -d 'Standard input, opened anew for each run'
complete -c pstat -n __fish_pstat_in_options -l discard -d 'Drop what the command prints'
complete -c pstat -n __fish_pstat_in_options -l show-output -d 'With -c, let the commands print'
complete -c pstat -n __fish_pstat_in_options -l randomize-env -d 'An environment of another size in each run'
complete -c pstat -n __fish_pstat_in_options -l no-aslr -d 'Run at the same addresses each time'
complete -c pstat -n __fish_pstat_in_options -l cpu-list -x -a '(__fish_pstat_list --cpu-list ,- (__fish_pstat_cpus))' -d 'Let the command run on these CPUs only'
complete -c pstat -n __fish_pstat_in_options -l iteration -d 'Number the runs in PSTAT_ITERATION'
complete -c pstat -n __fish_pstat_in_options -s S -l sync -d 'Call sync(2) before each run'
complete -c pstat -n __fish_pstat_in_options -s c -l command -x -a '(__fish_complete_command)' -d 'Compare this command with the others'
complete -c pstat -n __fish_pstat_in_options -l baseline -r -F -d 'Compare with what this file has saved'
complete -c pstat -n __fish_pstat_in_options -l shell -x -a '(__fish_complete_command)' -d 'Run each -c by this shell'
complete -c pstat -n __fish_pstat_in_options -s L -l parameter-list -x -d 'Compare the command with {NAME} in it for each value'
complete -c pstat -n __fish_pstat_in_options -l names -x -d 'What the sides are called'
complete -c pstat -n __fish_pstat_in_options -l order -x -a 'random alternate sequential' -d 'How the commands take turns'
complete -c pstat -n __fish_pstat_in_options -l seed -x -d 'For the random order and --randomize-env'
complete -c pstat -n __fish_pstat_in_options -l duration -x -d 'Compare for S seconds'
complete -c pstat -n __fish_pstat_in_options -l precision -x -d 'Compare until the means are known to PCT percent'
complete -c pstat -n __fish_pstat_in_options -l confidence -x -d 'Of intervals and verdicts, in percent'
complete -c pstat -n __fish_pstat_in_options -l fail-if -x -d 'Exit with 1 if NAME>+X% or NAME<-X%'
complete -c pstat -n __fish_pstat_in_options -l gate-scaled -d '--fail-if also on counts that are estimates'
complete -c pstat -n __fish_pstat_in_options -l min-effect -x -d 'A smaller difference is the same, in percent'
complete -c pstat -n __fish_pstat_in_options -l more-is-better -x -d 'Events and metrics to have more of'
complete -c pstat -n __fish_pstat_in_options -l ignore-failure -d 'With -r, go on after a run that fails'
complete -c pstat -n __fish_pstat_in_options -l strict -d 'Do not start unless every event can be counted'
complete -c pstat -n __fish_pstat_in_options -l no-multiplex -d 'Run as often as it takes to count all events unscaled'
complete -c pstat -n __fish_pstat_in_options -l min-running -x -d 'What ran for less of its time is not counted'
complete -c pstat -n __fish_pstat_in_options -l scale -d 'Scale multiplexed counts'
complete -c pstat -n __fish_pstat_in_options -l no-scale -d 'Show multiplexed counts as they were read'
complete -c pstat -n __fish_pstat_in_options -s x -l field-separator -x -d 'Print CSV'
complete -c pstat -n __fish_pstat_in_options -s j -l json-output -d 'Print JSON, one object a line'
complete -c pstat -n __fish_pstat_in_options -l metric-only -d 'Print no counts, only what is derived from them'
complete -c pstat -n __fish_pstat_in_options -l table -d 'With -r, print a table of the time of each run, too'
complete -c pstat -n __fish_pstat_in_options -s o -l output -r -F -d 'Write the result to a file'
complete -c pstat -n __fish_pstat_in_options -l append -d 'With -o, append to the file'
complete -c pstat -n __fish_pstat_in_options -l log-fd -x -d 'Write the result to a descriptor'
complete -c pstat -n __fish_pstat_in_options -l save -r -F -d 'Write all of it to a file, too, as JSON'
complete -c pstat -n __fish_pstat_in_options -l html -r -F -d 'Write a comparison to a file, too, as a page with drawings'
complete -c pstat -n __fish_pstat_in_options -s B -l big-num -d 'Thousands separators, whatever the locale'
complete -c pstat -n __fish_pstat_in_options -l no-big-num -d 'No thousands separators'
complete -c pstat -n __fish_pstat_in_options -l color -x -a 'auto always never' -d 'Colour in the table'
complete -c pstat -n __fish_pstat_in_options -l ascii -d 'Draw comparisons by ASCII characters alone'
complete -c pstat -n __fish_pstat_in_options -l no-progress -d 'Do not show how far a series of runs is'
complete -c pstat -n __fish_pstat_in_options -l quiet -d 'Print no result, and no messages but errors'
complete -c pstat -n __fish_pstat_in_options -s v -l verbose -d 'Print each event as it is opened'
complete -c pstat -n __fish_pstat_in_options -l sysroot -x -a '(__fish_complete_directories)' -d 'Read /sys and /proc of another machine'
complete -c pstat -n __fish_pstat_in_options -l explain -d 'Say what events are, count nothing'
complete -c pstat -n __fish_pstat_in_options -l list -d 'List events, count nothing'
complete -c pstat -n __fish_pstat_in_options -l show -d 'Print saved documents again'
complete -c pstat -n __fish_pstat_in_options -l compare -d 'Compare saved documents'
complete -c pstat -n __fish_pstat_in_options -l all -d 'With --list, also events of PMUs that are not here'
complete -c pstat -n __fish_pstat_in_options -l format -x -a 'table json csv csv-summary markdown openmetrics github' -d 'How to print the result'
complete -c pstat -n __fish_pstat_in_options -s h -l help -d 'Print help'
complete -c pstat -n __fish_pstat_in_options -l version -d 'Print the version'
complete -c pstat -n __fish_pstat_shows -F
complete -c pstat -n __fish_pstat_looks -f -a '(__fish_pstat_events)' -d Event
complete -c pstat -n 'not __fish_pstat_looks; and not __fish_pstat_shows' -a '(__fish_pstat_command)' -d Command
