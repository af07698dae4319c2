/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shortest command there is; linked statically. */
int main(void)
{
	return 0;
}
