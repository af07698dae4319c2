#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# usage: harness.pl LEAST MOST CYCLES
#
# Counts with perf stat and reads its table and its CSV with regular expressions. `faults 3000` must
# have from LEAST to MOST page faults, and CYCLES cycles: a number, "none" or "any".

use strict;
use warnings;

my ($least, $most, $cycles) = @ARGV;
my $events = '-e page-faults:u -e cycles:u';

# perf(WORDS): what perf stat writes on standard error
sub perf
{
	my $output = qx(perf stat @_ 2>&1 >/dev/null);
	die "perf stat @_: status $?: $output" if $?;
	return $output;
}

sub check
{
	my ($faults, $counted) = @_;
	tr/,//d for $faults, $counted;
	die "$faults page faults" if $faults < $least || $faults > $most;
	die "$counted cycles" if $cycles eq 'none' ? $counted ne '<not supported>' :
		$cycles eq 'any' ? $counted == 0 : $counted != $cycles;
}

# parse(TEXT, PATTERN): the groups of a pattern that is all of the text
sub parse
{
	my ($text, $pattern) = @_;
	my @groups = $text =~ /\A$pattern\z/ or die "unexpected output:\n$text";
	return @groups;
}

my $count = qr/ +([\d,]+|<not supported>)/;
my $head = qr/\n Performance counter stats for 'faults 3000'/;
my $rows = qr/$count +page-faults:u *\n$count +cycles:u *\n/;
my $elapsed = qr/ +\d+\.\d{9} seconds time elapsed *\n/;
my $times = qr/\n +\d+\.\d{9} seconds user *\n +\d+\.\d{9} seconds sys *\n\n\n/;

# 1. the table
check(parse(perf("$events faults 3000"), qr/$head:\n\n$rows\n$elapsed$times/));

# 2. with thousands separators, if the locale has some
check(parse(perf("-B $events faults 3000"), qr/$head:\n\n$rows\n$elapsed$times/));

# 3. without thousands separators
my @found = parse(perf("--no-big-num $events faults 3000"), qr/$head:\n\n$rows\n$elapsed$times/);
die "a thousands separator" if grep { /,/ } @found;
check(@found);

# 4. only the time
parse(perf('--null faults 3000'), qr/$head:\n\n+$elapsed$times/);

# 5. a summary of five runs, with each spread that is not 0; other lines with times may follow
my $spread = qr/(?: +\( \+- +\d+\.\d\d% \))? */;
my $time = qr/ +\d\.\d+ \+- \d\.\d+ seconds/;
parse(perf('-r 5 -e page-faults:u faults 3000'),
	qr/$head \(5 runs\):\n\n +[\d,]+ +page-faults:u$spread\n\n$time time elapsed$spread\n+(?:$time .*\n+)*/);

# 6. more events, whose units and metrics are in known columns
my $more = perf('-d -e task-clock faults 3000');
$more =~ /^ +([\d.]+) msec task-clock +# +(\d+\.\d+) CPUs utilized *$/m or die $more;
$more =~ /^$count +L1-dcache-load-misses/m or die $more;

# 7. CSV
check(parse(perf("-x, $events faults 3000"),
	qr/(\d+),,page-faults:u,\d+,100.00,,\n([^,]+),,cycles:u,\d+,100.00,,\n/));

# 8. CSV with another separator
check(parse(perf("-x '\t' $events faults 3000"),
	qr/(\d+)\t\tpage-faults:u\t\d+\t100.00\t\t\n([^\t]+)\t\tcycles:u\t\d+\t100.00\t\t\n/));

# 9. intervals: the counts of a task have the count of the whole run as their sum
my ($last, $sum) = (0, 0);
for (split /\n/, perf('-I 10 -x, -e page-faults:u faults 3000')) {
	my ($time, $n) = /^ *(\d+\.\d{9}),(\d+|<not counted>),,page-faults:u,\d+,100.00,,$/ or die "$_\n";
	die "the time $time after $last" if $time <= $last;
	$last = $time;
	$sum += $n unless $n =~ /</;
}
die "$sum page faults in all intervals" if $sum < $least || $sum > $most;

# 10. the sockets of the machine, each with the number of its CPUs
my $cpus = 0;
for (split /\n/, perf('-a --per-socket -x, -e task-clock faults 3000')) {
	/^S\d+,(\d+),[\d.]+,msec,task-clock,\d+,100.00,[\d.]+,CPUs utilized$/ or die "$_\n";
	$cpus += $1;
}
die 'no CPUs' if $cpus < 1;
