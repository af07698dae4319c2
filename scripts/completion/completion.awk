# SPDX-License-Identifier: GPL-2.0-or-later
# Prints a completion with its generated part replaced; scripts/completion/update calls this. The
# first input is the option table, the second is the completion.

function quoted(text) {
	gsub(/'/, shell == "fish" ? "\\'" : "'\\''", text)
	return "'" text "'"
}

# "-e --event", or "--filter" if there is no letter
function spellings(i) {
	return (letter[i] != "-" ? "-" letter[i] " " : "") "--" name[i]
}

# Wraps the words into lines that begin with a tab.
function wrapped(words, n, word, i, line, text) {
	n = split(words, word, " ")
	for (i = 1; i <= n; i++) {
		if (length(line) + length(word[i]) > 90) {
			text = text "\t" line "\n"
			line = ""
		}
		line = line (line == "" ? "" : " ") word[i]
	}
	return text "\t" line "\n"
}

function exclude(i, j) {
	if (i != j && index(" " excluded[i] " ", " " spellings(j) " ") == 0)
		excluded[i] = excluded[i] (excluded[i] == "" ? "" : " ") spellings(j)
}

# Find the options that exclude each other. The table lists each pair only once.
function read_excludes(i, j, n, word) {
	for (i = 1; i <= options; i++) {
		n = split(excludes[i], word, " ")
		while (n > 0) {
			j = by_spelling[word[n--]]
			if (j) {
				exclude(i, j)
				exclude(j, i)
			}
		}
	}
}

function kind_of(i) {
	return values[i] != "-" ? kind[i] " " values[i] : kind[i]
}

# The options that take an argument, grouped by the kind of the argument. A final "=" marks an
# optional argument.
function print_bash(i, j, all, key, kinds, by_kind, order) {
	for (i = 1; i <= options; i++) {
		all = all " " spellings(i)
		key = quoted(kind_of(i))
		if (takes[i] != "-" && !(key in by_kind))
			order[++kinds] = key
		if (takes[i] != "-")
			by_kind[key] = by_kind[key] " " spellings(i) (takes[i] == "?" ? "=" : "")
	}
	printf "_pstat_options='\n%s'\n", wrapped(all)
	print "_pstat_bundle='^(-[" letters["-"] "]*([" letters["="] "]))(.*)$'"
	for (j = 1; j <= kinds; j++)
		print "_pstat_set_kind " order[j] by_kind[order[j]]
	print_candidates()
}

# The script in a function of bash and zsh.
function print_candidates() {
	print "_pstat_candidates()\n{\n\tsh -c " quoted(ENVIRON["CANDIDATES"]) " sh \"$@\"\n}"
}

function zsh_action(i, words) {
	words = values[i]
	gsub(/:/, "\\:", words)
	if (kind[i] == "choice")
		return "(" words ")"
	if (kind[i] == "list")
		return " _pstat_list " words
	if (kind[i] == "rows")
		return " _pstat_rows " words
	if (kind[i] == "file")
		return "_files"
	if (kind[i] == "document")
		return "_files -g \"*.json(-.)\""
	if (kind[i] == "folder")
		return "_files -/"
	if (kind[i] == "command")
		return "_command_names -e"
	return kind[i] ~ /^(text|number|percent)$/ ? " " : "_pstat_" kind[i]
}

function print_zsh(i, spec, rest, own) {
	print "_pstat_set_specs() {"
	print "\tspecs=("
	for (i = 1; i <= options; i++) {
		rest = help[i]
		gsub(/[][]/, "\\\\&", rest)
		rest = "[" rest "]"
		if (takes[i] != "-")
			rest = rest (takes[i] == "?" ? "::" : ":") argument[i] ":" zsh_action(i)
		own = excluded[i]
		if (name[i] ~ /^(help|help-all|version)$/)
			own = "- *"
		else if (adds[i] != "adds" && letter[i] != "-")
			own = spellings(i) (own == "" ? "" : " " own)
		spec = (own == "" ? "" : "(" own ")") (adds[i] == "adds" ? "*" : "")
		if (letter[i] == "-")
			spec = quoted(spec "--" name[i] (takes[i] == "=" ? "=" : takes[i] == "?" ? "=-" : "") rest)
		else
			spec = (spec == "" ? "" : quoted(spec)) "{-" letter[i] (takes[i] == "=" ? "+" : "") \
				",--" name[i] (takes[i] == "=" ? "=" : "") "}" quoted(rest)
		print "\t\t" spec
	}
	print "\t)"
	print "}"
	print_candidates()
}

function fish_candidates(i) {
	if (kind[i] == "choice")
		return " -a " quoted(values[i])
	if (kind[i] == "list")
		return " -a '(__fish_pstat_list --" name[i] " , " values[i] ")'"
	if (kind[i] == "rows")
		return " -a '(__fish_pstat_list --" name[i] " , (__fish_pstat_candidates rows \"$(commandline)\" " \
			values[i] "))'"
	if (kind[i] ~ /^(pids|tids)$/)
		return " -a '(__fish_pstat_list --" name[i] " , (__fish_pstat_candidates " kind[i] "))'"
	if (kind[i] == "cgroups")
		return " -a '(__fish_pstat_list --" name[i] " , (__fish_pstat_" kind[i] "))'"
	if (kind[i] == "cpus")
		return " -a '(__fish_pstat_list --" name[i] " ,- (__fish_pstat_cpus))'"
	if (kind[i] == "events")
		return " -a '(__fish_pstat_events)'"
	if (kind[i] == "document")
		return " -k -a '(__fish_complete_suffix .json)'"
	if (kind[i] == "folder")
		return " -a '(__fish_complete_directories)'"
	return kind[i] == "command" ? " -a '(__fish_complete_command)'" : ""
}

function print_fish(i, valued) {
	for (i = 1; i <= options; i++)
		if (takes[i] == "=")
			valued = valued " --" name[i]
	print "set -g __fish_pstat_valued" valued
	print "set -g __fish_pstat_letters " letters["-"]
	print "set -g __fish_pstat_valued_letters " letters["="]
	for (i = 1; i <= options; i++)
		print "complete -c pstat -n __fish_pstat_in_options" \
			(letter[i] != "-" ? " -s " letter[i] : "") " -l " name[i] \
			(takes[i] != "=" ? "" : kind[i] == "file" ? " -r -F" : " -x") fish_candidates(i) \
			" -d " quoted(help[i])
	print "function __fish_pstat_candidates"
	print "    sh -c " quoted(ENVIRON["CANDIDATES"]) " sh $argv"
	print "end"
}

FNR == NR {
	i = ++options
	letter[i] = $2
	name[i] = $3
	takes[i] = $4
	argument[i] = $5
	gsub(/[][=]/, "", argument[i])
	kind[i] = $6
	values[i] = $7
	excludes[i] = $8
	adds[i] = $10
	help[i] = $12
	by_spelling["-" $2] = by_spelling["--" $3] = i
	if ($2 != "-")
		letters[$4] = letters[$4] $2
	next
}

/^# BEGIN / {
	print
	read_excludes()
	if (shell == "bash")
		print_bash()
	else if (shell == "zsh")
		print_zsh()
	else
		print_fish()
	skipping = 1
}
/^# END$/ { skipping = 0 }
!skipping { print }
