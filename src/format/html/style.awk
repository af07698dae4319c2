# SPDX-License-Identifier: GPL-2.0-or-later
# usage: awk -f style.awk style.css >style_css.c
#
# Makes a C string of a style sheet, without comments and optional blanks. A line of the string ends
# where a line of the file ends outside of all braces.

BEGIN {
	print "/* Made from style.css by style.awk. */"
	print "#include \"format/html/plots.h\"\n"
	print "const char html_style[] ="
}

{
	gsub(/\/\*[^*]*\*\//, "")
	sub(/^[ \t]+/, "")
	gsub(/: /, ":")
	gsub(/, /, ",")
	gsub(/ *[{] */, "{")
	gsub(/ *[}] */, "}")
	depth += gsub(/[{]/, "{") - gsub(/[}]/, "}")
	rule = rule $0
}

depth == 0 && rule != "" {
	gsub(/;[}]/, "}", rule)
	gsub(/["\\]/, "\\\\&", rule)
	print "\t\"" rule "\\n\""
	rule = ""
}

END {
	print "\t;"
	exit depth != 0
}
