#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The ranks of a parallel job: names of files (%r), and --merge, also with real launchers.

. "${BATS_TEST_DIRNAME:?}/lib.bash"

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	unset OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE MV2_COMM_WORLD_RANK PMIX_RANK PMI_RANK \
		MPI_RANKID PALS_RANKID FLUX_TASK_RANK SLURM_PROCID SLURM_JOB_ID SLURM_NTASKS
}

# rank RANK RANKS ARG...: run pstat ARG... as a rank of job 77
rank()
{
	OMPI_COMM_WORLD_RANK=$1 OMPI_COMM_WORLD_SIZE=$2 SLURM_JOB_ID=77 pstat "${@:3}"
	ends_with_status 0
}

# Save run.77.0.json to run.77.3.json. The ranks have 1 to 4 processes.
save_ranks()
{
	local i

	for i in 0 1 2 3; do
		rank "$i" 4 -r 2 --quiet --save run.%j.%r.json -e page-faults,task-clock \
			sh -c "for i in $(seq -s ' ' 0 "$i"); do /bin/true; done"
	done
}

# sum FILE...: the sum of the means of page-faults
sum()
{
	jq -s 'map(.runs | map(.raw[0]) | add / length) | add' "$@"
}

@test "%h, %p, %r, %j and %% are expanded in the names of result files" {
	needs_documents
	rank 3 4 -o '%%.%r.%j.txt' --save '%h.%p.json' --html '%r.html' -e page-faults true
	[ -s '%.3.77.txt' ] || fail "no %.3.77.txt:" "$(ls)"
	[ -s 3.html ] || fail "no 3.html:" "$(ls)"
	ls "$(uname -n | tr -c 'A-Za-z0-9._\n-' _)".[0-9]*.json
}

@test "a value never names a folder" {
	mkdir inside
	SLURM_JOB_ID=../escape pstat -o inside/%j.txt true
	ends_with_status 0
	is "the files" "$(find . -name '*escape*')" ./inside/_._escape.txt
	SLURM_JOB_ID=.. pstat -o inside/%j/x true
	ends_with_status 125
}

@test "each launcher's variable names the rank" {
	local variable

	for variable in OMPI_COMM_WORLD_RANK MV2_COMM_WORLD_RANK PMIX_RANK PMI_RANK MPI_RANKID \
		PALS_RANKID FLUX_TASK_RANK SLURM_PROCID; do
		env "$variable=5" "$PSTAT" -o "$variable.%r" -e page-faults true
		[ -e "$variable.5" ] || fail "$variable:" "$(ls)"
	done
	# mpirun in a batch script of Slurm passes on the variables of the script
	SLURM_PROCID=0 OMPI_COMM_WORLD_RANK=2 pstat -o both.%r true
	[ -e both.2 ] || fail "$(ls)"
}

@test "a rank that no job can have is not saved" {
	needs_documents
	needs_command jq
	for i in 16777215:16777216:'[16777215,16777216]' 16777216:16777217:'[null,null]' 2000000000:0:'[null,null]'; do
		IFS=: read -r rank ranks saved <<<"$i"
		PMI_RANK=$rank PMI_SIZE=$ranks pstat -n --quiet --save document true
		ends_with_status 0
		is "rank $rank of $ranks" "$(jq -c '[.target.rank, .target.ranks]' document)" "$saved"
		pstat --show document
		ends_with_status 0
	done
}

@test "other letters after % stay in the names of files" {
	local name

	for name in load-50%.csv 50% %x %é; do
		pstat -o "$name" -e page-faults true
		ends_with_status 0
		[ -s "$name" ] || fail "$name:" "$(ls)"
		rm ./*
	done
}

@test "an unknown value is refused before the command starts" {
	refuses "-o 'run.%r', column 5: %r: no launcher (mpirun, srun) has given this process a rank" \
		-o run.%r touch started
	SLURM_PROCID=x refuses "-o '%r', column 1: %r: no launcher (mpirun, srun) has given this process a rank" \
		-o %r touch started
	unset PMIX_NAMESPACE PBS_JOBID LSB_JOBID FLUX_JOB_ID PALS_APID JOB_ID
	refuses "--html '%j', column 1: %j: no launcher has named a job" --html %j touch started
}

@test "--merge adds up the counts, and shows their distribution over the ranks" {
	needs_command jq
	needs_documents
	save_ranks
	pstat --merge run.77.*.json --format json
	ends_with_status 0
	is "the sum" "$(jq '.runs | map(.raw[0]) | add / length' out)" "$(sum run.77.*.json)"
	is "the ranks" "$(jq .ranks.n out)" 4
	is "the smallest" "$(jq '.ranks.rows[0].min' out)" "$(sum run.77.0.json)"
	is "the largest" "$(jq '.ranks.rows[0].max' out)" "$(sum run.77.3.json)"
	is "the rank with the largest value" "$(jq -r '.ranks.rows[0].largest' out)" \
		"rank 3 on $(uname -n)"
	jq -e '.ranks.rows[0] | (.imbalance - .max / (.sum / 4) | fabs) < 1e-12' out
	is "the elapsed time" "$(jq '.runs[0].duration_time' out)" \
		"$(jq -s 'map(.runs[0].duration_time) | max' run.77.*.json)"
	is "the user time" "$(jq '.runs[1].user_time' out)" \
		"$(jq -s 'map(.runs[1].user_time) | add' run.77.*.json)"
}

@test "--merge prints every format, and --show prints a merged document again" {
	needs_documents
	local format

	save_ranks
	pstat --merge run.77.*.json --save merged.json -o table
	ends_with_status 0
	grep -q '(4 ranks)' table
	grep -q -E '^ +[0-9,]+ +[0-9,]+ +[0-9,]+ +[0-9,]+ +[0-9.]+  rank 3 on .*  page-faults$' table ||
		fail "$(<table)"
	for format in --format=table "-x," -j --format=csv --format=csv-summary --format=markdown \
		--format=openmetrics --format=json; do
		pstat --merge run.77.*.json "$format" -o merged
		ends_with_status 0
		pstat --show merged.json "$format" -o shown
		ends_with_status 0
		cmp merged shown || fail "$format: $(diff merged shown)"
	done
	pstat --merge run.77.*.json --format csv-summary
	grep -q ',ranks,rank_min,rank_median,rank_max,largest_rank,imbalance' out
}

@test "merged documents are compared by their sums" {
	needs_command jq
	needs_documents
	save_ranks
	pstat --merge run.77.*.json --save one.json --quiet
	ends_with_status 0
	pstat --compare one.json one.json --format json
	ends_with_status 0
	is "the mean" "$(jq '.rows[] | select(.name == "page-faults").sides[0].mean' out)" \
		"$(sum run.77.*.json)"
}

@test "what cannot be merged is refused in one line" {
	needs_command jq
	needs_documents
	local i

	save_ranks
	refuses "--merge: 1 of 4 ranks missing: 2" --merge run.77.0.json run.77.1.json run.77.3.json
	for i in --per-process --per-thread; do
		rank 1 2 "$i" --quiet --save other.json -e page-faults,task-clock true
		refuses "--merge other.json: its rows are split by $i; only whole commands can be added up" \
			--merge other.json
	done
	refuses "--merge run.77.0.json: rank 0 is already in run.77.0.json" \
		--merge run.77.0.json run.77.0.json
	rank 1 4 -r 2 --quiet --save other.json -e context-switches,task-clock true
	refuses "--merge other.json: event 1 is context-switches, but in the first file it is page-faults" \
		--merge run.77.0.json other.json
	rank 1 4 -r 2 --quiet --save other.json -e page-faults true
	refuses "--merge other.json: number of events: 1 here, 2 in the first file" \
		--merge run.77.0.json other.json
	rank 1 4 -r 3 --quiet --save other.json -e page-faults,task-clock true
	refuses "--merge other.json: number of runs: 3 here, 2 in the first file" \
		--merge run.77.0.json other.json
	rank 1 2 -r 2 --quiet --save other.json -e page-faults,task-clock true
	refuses "--merge other.json: its job has 2 ranks, but the job of an earlier file has 4" \
		--merge run.77.0.json other.json
	jq '.target.job = "78"' run.77.1.json >other.json
	refuses "--merge other.json: belongs to job '78', but an earlier file to job '77'" \
		--merge run.77.0.json other.json
	# The first event is page-faults, which is config 2, in the mode of each line.
	while IFS=';' read -r first other here there; do
		jq -c "(.events[0]) |= ($first)" run.77.0.json >first.json
		jq -c "(.events[0]) |= ($other)" run.77.1.json >other.json
		refuses "--merge other.json: page-faults counts '$here', but '$there' in the first file; count the same on all ranks" \
			--merge first.json other.json
	done <<-'END'
		.attr.flags = [];.attr.flags = ["exclude_kernel"];software/config=0x2/ exclude_kernel;software/config=0x2/
		.attr.flags = ["exclude_user"];.attr.flags = [];software/config=0x2/;software/config=0x2/ exclude_user
		.attr.flags = [];.attr.config = "0x6" | .attr.flags = [];software/config=0x6/;software/config=0x2/
		.attr.flags = [];.attr.flags = [] | .opening.user_only = true;software/config=0x2/ exclude_kernel exclude_hv;software/config=0x2/
	END
	for i in -1 16777216 2000000000 1.5 '"1"'; do
		jq -c --argjson rank "$i" '.target.rank = $rank' run.77.1.json >other.json
		refuses "--merge other.json: target.rank: not an integer from 0 to 16777215" --merge other.json
	done
	jq '.target.rank = 16777215 | del(.target.ranks)' run.77.1.json >other.json
	refuses "--merge: 16777215 of 16777216 ranks missing: 0, 1, 2, 3, 4, ..." --merge other.json
	jq '.target.ranks = 2147483647' run.77.1.json >other.json
	refuses "--merge other.json: target.ranks: not an integer from 1 to 16777216" --merge other.json
	pstat --merge run.77.*.json --save merged.json --quiet
	refuses "--merge merged.json: merged already, not the result of a rank" --merge merged.json
	pstat -r 2 -c true -c true --save compared.json --quiet -e page-faults
	refuses "--merge compared.json: a comparison, not the result of a rank" --merge compared.json
	echo '{ "schema": "other" }' >foreign.json
	refuses "--merge foreign.json: not a pstat document; --save FILE and --format json write one" \
		--merge foreign.json
	refuses "--merge nothing.json: No such file or directory" --merge nothing.json
	refuses "--merge needs FILEs: pstat --merge RANK.json..." --merge
	refuses "--merge: standard input can be read only once; give - once" --merge - -
	rank 1 2 --per-process --quiet --save split.json -e page-faults,task-clock true
	rank 1 2 --per-process --quiet --save places.json -e page-faults,task-clock sh -c '/bin/true; :'
	jq '.settings.place_kind = "target" | del(.processes)' places.json >other.json
	refuses "--merge other.json: rows: have 3 places, but place_kind is 'target'" --merge other.json
	jq --slurpfile merged merged.json '.ranks = $merged[0].ranks' split.json >other.json
	refuses "--show other.json: ranks: has to be absent, because the rows are split into places" \
		--show other.json
	echo time,commit,command,cs >history.csv
	pstat --merge run.77.*.json --format history --append -o history.csv
	ends_with_status 125
	grep -q "column 'page-faults" err || fail "no message" "$(<err)"
	is "the file" "$(<history.csv)" time,commit,command,cs
	for i in 0 1 2 3 4 5 6 7; do
		rank "$i" 20 --quiet --save many.%r.json -e page-faults true
	done
	refuses "--merge: 12 of 20 ranks missing: 8, 9, 10, 11, 12, ..." --merge many.*.json
}

@test "the order of the files makes no difference" {
	needs_command jq
	needs_documents
	local i

	save_ranks
	for i in 1 3; do # equal to the ranks before them
		jq ".target.rank = $i" "run.77.$((i - 1)).json" >"run.77.$i.json"
	done
	pstat --merge run.77.3.json run.77.2.json run.77.1.json run.77.0.json --format json
	ends_with_status 0
	jq .ranks out >backwards
	pstat --merge run.77.*.json --format json
	ends_with_status 0
	is "the ranks" "$(jq .ranks out)" "$(<backwards)"
	is "the rank with the largest value" "$(jq -r '.ranks.rows[0].largest' out)" \
		"rank 2 on $(uname -n)"
}

@test "times that are not those of the target are not shown" {
	needs_command jq
	needs_documents
	local i

	for i in 0 1; do
		rank "$i" 2 --quiet --save run.%r.json -e page-faults true
		jq '.settings.has_usage = false' "run.$i.json" >"system.$i.json"
	done
	pstat --merge system.*.json --save merged.json
	ends_with_status 0
	is "the times" "$(grep -oE 'elapsed|user|sys$|max_rss' out)" elapsed
	is "the user time" "$(jq -c .ranks.user_time.sum merged.json)" null
	pstat --merge run.*.json
	is "the times" "$(grep -oE 'elapsed|user|sys$|max_rss' out | tr '\n' ' ')" "elapsed user sys max_rss "
}

@test "--merge names failed ranks and other programs, and --quiet prints nothing" {
	needs_documents
	local i

	for i in 0 1 2; do
		status=0
		OMPI_COMM_WORLD_RANK=$i OMPI_COMM_WORLD_SIZE=3 "$PSTAT" --quiet --save run.%r.json -e page-faults \
			"$([ "$i" = 0 ] && echo true || echo false)" || status=$?
		ends_with_status $((i > 0))
	done
	pstat --merge run.*.json
	ends_with_status 0
	is "standard error" "$(grep -v max_rss err)" "pstat: 2 of 3 ranks failed, for example rank 1 on $(uname -n)
pstat: the ranks did not run the same program: rank 1 on $(uname -n) ran 'false'"
	pstat --merge run.*.json --format bmf
	ends_with_status 125
	grep -qx 'pstat: --format bmf: a rank failed: result not written; use --ignore-failure' err ||
		fail "$(<err)"
	pstat --merge run.*.json --quiet
	ends_with_status 0
	is "the output" "$(cat out err)" ''
}

@test "the merged max_rss is that of the ranks, and not that of pstat" {
	needs_command jq
	needs_documents
	rank 0 2 --quiet --save run.%r.json -e page-faults true
	rank 1 2 --quiet --save run.%r.json -e page-faults true
	for i in 0 1; do
		jq '.settings.max_rss_floor_kib = 3000 | .runs[0].max_rss = '$((i * 5000 + 2000)) \
			"run.$i.json" >"set.$i.json"
	done
	pstat --merge set.*.json
	ends_with_status 0
	is "the memory" "$(tr -s ' ' <out | grep 'max_rss')" \
		" 7000 7000 7000 7000 1.00 rank 1 on $(uname -n) KiB max_rss"
}

@test "rank 1 reports that all ranks write the same file" {
	needs_documents
	local note="each rank of the job replaces this file; put %r into its name"

	rank 0 2 --save same.json -e page-faults true
	is "notes of rank 0" "$(grep "$note" err)" ''
	rank 1 2 --save same.json --html %r.html -o %j.txt -e page-faults true
	is "notes" "$(grep "$note" err)" "pstat: -o %j.txt: $note
pstat: --save same.json: $note"
	rank 1 2 --append -o same.txt --save run.1.json --html /dev/stderr -e page-faults true
	is "notes with --append" "$(grep "$note" err same.txt)" ''
}

@test "results that were not started by a launcher are named by their files" {
	needs_command jq
	needs_documents
	pstat --quiet --save a.json -e page-faults true
	pstat --quiet --save b.json -e page-faults sh -c 'true; /bin/true; /bin/true'
	pstat --merge a.json b.json --format json
	ends_with_status 0
	is "the rank with the largest value" "$(jq -r '.ranks.rows[0].largest' out)" b.json
}

@test "mpirun of Open MPI" {
	needs_command jq
	needs_documents
	needs_command mpirun
	OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout "$patience" \
		mpirun --oversubscribe -n 4 "$PSTAT" -r 2 --quiet --save 'mpi.%r.json' -e page-faults \
		/bin/true >mpi.log 2>&1 || fail "$(<mpi.log)"
	pstat --merge mpi.*.json --format json
	ends_with_status 0
	is "the ranks" "$(jq .ranks.n out)" 4
	is "the sum" "$(jq '.runs | map(.raw[0]) | add / length' out)" "$(sum mpi.?.json)"
}

# Start Slurm with two nodes on this machine.
start_slurm()
{
	local host node

	host=$(uname -n)
	mkdir -p slurm/state slurm/n1 slurm/n2
	chmod 755 . slurm
	# munge insists that others may not write to these folders
	head -c 1024 /dev/urandom >slurm/key
	chmod 400 slurm/key
	munged --force --key-file="$PWD/slurm/key" --socket="$PWD/slurm/munge.socket" \
		--pid-file="$PWD/slurm/munge.pid" --log-file="$PWD/slurm/munge.log" \
		--seed-file="$PWD/slurm/seed" || return
	cat >slurm/slurm.conf <<-END
		ClusterName=pstat
		SlurmctldHost=$host(127.0.0.1)
		SlurmUser=root
		SlurmdUser=root
		AuthType=auth/munge
		AuthInfo=socket=$PWD/slurm/munge.socket
		CredType=cred/munge
		StateSaveLocation=$PWD/slurm/state
		SlurmdSpoolDir=$PWD/slurm/%n
		SlurmctldPidFile=$PWD/slurm/controller.pid
		SlurmdPidFile=$PWD/slurm/%n.pid
		SlurmctldLogFile=$PWD/slurm/controller.log
		SlurmdLogFile=$PWD/slurm/%n.log
		SlurmctldPort=17817
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		MpiDefault=none
		SelectType=select/cons_tres
		NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=17818 CPUs=2
		NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=17819 CPUs=2
		PartitionName=all Nodes=n1,n2 Default=YES
	END
	export SLURM_CONF=$PWD/slurm/slurm.conf
	slurmctld || return
	for node in n1 n2; do
		slurmd -N "$node" || return
	done
}

@test "srun of Slurm, with two nodes" {
	needs_command jq
	needs_documents
	needs_command srun
	needs_command slurmctld
	[ "$(id -u)" -eq 0 ] || skip "slurmd needs root"
	start_slurm || fail "Slurm does not start:" "$(cat slurm/*.log)"
	timeout "$patience" srun -N 2 -n 4 "$PSTAT" -r 2 --quiet --save "$PWD/srun.%j.%r.json" \
		-e page-faults /bin/true >srun.log 2>&1 || fail "$(cat srun.log slurm/*.log)"
	pstat --merge srun.*.json --format json
	ends_with_status 0
	is "the ranks" "$(jq .ranks.n out)" 4
	is "the sum" "$(jq '.runs | map(.raw[0]) | add / length' out)" "$(sum srun.*.json)"
}
