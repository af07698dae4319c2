# SPDX-License-Identifier: GPL-2.0-or-later
# usage: awk -f embed.awk page.html >page_html.c
#
# Makes a C string of the page.

BEGIN {
	print "/* Made from page.html by embed.awk. */"
	print "extern const char page_html[];"
	print "const char page_html[] ="
}

{
	gsub(/["\\?]/, "\\\\&")
	gsub(/\t/, "\\t")
	print "\t\"" $0 "\\n\""
}

END {
	print "\t;"
}
