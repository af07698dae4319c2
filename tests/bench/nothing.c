/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shortest possible command; linked statically. */
int main(void)
{
	return 0;
}
