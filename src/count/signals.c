/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "count/signals.h"

static bool is_ignored(int sig)
{
	struct sigaction action;

	return sigaction(sig, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/*
 * Every signal that would end pstat, and that another process may send, is passed on to the
 * command. Three kinds of signals are left alone:
 *	those that cannot be blocked
 *	those that an error in pstat raises
 *	job control, which stops and continues both pstat and the command
 */
static bool may_be_taken(int sig)
{
	switch (sig) {
	case SIGKILL:
	case SIGSTOP:
	case SIGSEGV:
	case SIGBUS:
	case SIGILL:
	case SIGFPE:
	case SIGABRT:
	case SIGTRAP:
	case SIGSYS:
	case SIGPIPE: /* blocked by main() */
	case SIGXFSZ:
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU:
	case SIGCONT:
	case SIGWINCH:
	case SIGURG:
		return false;
	default:
		return true;
	}
}

/*
 * pstat blocks signals and takes them with sigwaitinfo(2): signals interrupt no system call, and
 * si_code says who sent a signal. A blocked signal arrives even if it is ignored; handle_signal()
 * then drops the signal. This needs no system call for each signal at the start, and the command
 * inherits the dispositions unchanged. Only SIGCHLD is changed: if SIGCHLD were ignored, children
 * would vanish without a status.
 */
int signals_take(struct signals *s, const sigset_t *mask)
{
	*s = (struct signals){ .mask = *mask };
	sigemptyset(&s->awaited);
	for (int sig = 1; sig <= SIGRTMAX; sig++)
		if (may_be_taken(sig))
			sigaddset(&s->awaited, sig);
	s->child_ignored = is_ignored(SIGCHLD);
	if (s->child_ignored)
		signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &s->awaited, &s->before);
	s->fd = signalfd(-1, &s->awaited, SFD_CLOEXEC | SFD_NONBLOCK);
	return s->fd < 0 ? -errno : 0;
}

void signals_restore(const struct signals *s)
{
	if (s->child_ignored)
		signal(SIGCHLD, SIG_IGN);
	sigprocmask(SIG_SETMASK, &s->mask, NULL);
}

/* The command decides how it handles a signal. Only the signals with which users end a program also
 * end pstat's series. */
static bool asks_to_end(int sig, pid_t command)
{
	switch (sig) {
	case SIGINT:
	case SIGQUIT:
	case SIGTERM:
	case SIGHUP:
		return true;
	case SIGCHLD:
	case SIGUSR1:
	case SIGUSR2:
		return false;
	default:
		return command == 0;
	}
}

/*
 * A signal from the terminal (SI_KERNEL) was sent to the command as well as to pstat. An exception
 * is a hangup, which only the session leader gets (tty_signal_session_leader() in
 * drivers/tty/tty_jobctrl.c). A signal that the command sends to its process group (kill 0) has
 * also reached the command.
 */
static bool has_reached_command(const siginfo_t *info, pid_t command)
{
	if (info->si_code == SI_USER && info->si_pid == command)
		return true;
	if (info->si_code != SI_KERNEL)
		return false;
	return info->si_signo == SIGINT || info->si_signo == SIGQUIT ||
	       (info->si_signo == SIGHUP && getsid(0) != getpid());
}

static void handle_signal(struct signals *s, const siginfo_t *info, pid_t command)
{
	int sig = info->si_signo;
	/* a shell script starts background commands with SIGINT and SIGQUIT ignored, but pstat ends
	 * with them nevertheless */
	bool always = sig == SIGINT || sig == SIGQUIT || sig == SIGTERM || sig == SIGCHLD;

	if (!always && is_ignored(sig))
		return;
	if (sig != SIGCHLD && command > 0 && !has_reached_command(info, command)) {
		/* pass the signal on, with the value that sigqueue(3) sent */
		int err = info->si_code == SI_QUEUE ? sigqueue(command, sig, info->si_value) :
						      kill(command, sig);

		if (err < 0 && errno != ESRCH)
			s->kill_error = errno;
	}
	if (asks_to_end(sig, command) && !s->interrupted)
		s->interrupted = sig;
}

void signals_await(struct signals *s, pid_t command)
{
	siginfo_t info;

	if (sigwaitinfo(&s->awaited, &info) > 0)
		handle_signal(s, &info, command);
}

bool signals_interrupted(struct signals *s, pid_t command)
{
	const struct timespec now = { 0 };
	siginfo_t info;

	/* a limited number, because signals may come faster than they are handled */
	for (int i = 0; i < SIGRTMAX && sigtimedwait(&s->awaited, &info, &now) > 0; i++)
		handle_signal(s, &info, command);
	return s->interrupted != 0;
}

/* The signals with which users end a program. */
static const int interrupts[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };

/* SIGALRM, each second while results are written. */
static void end_if_interrupted(int alarm)
{
	static int seconds;
	sigset_t pending, waiting;
	bool interrupted = false;

	(void)alarm;
	sigpending(&pending);
	sigemptyset(&waiting);
	for (size_t i = 0; i < sizeof(interrupts) / sizeof(interrupts[0]); i++) {
		sigaddset(&waiting, interrupts[i]);
		interrupted |=
			sigismember(&pending, interrupts[i]) == 1 && !is_ignored(interrupts[i]);
	}
	seconds = interrupted ? seconds + 1 : 0;
	if (seconds > SIGNALS_PATIENCE_S)
		sigprocmask(SIG_UNBLOCK, &waiting, NULL); /* the signal ends pstat */
}

void signals_begin_writing(struct signals *s)
{
	const struct sigaction action = { .sa_handler = end_if_interrupted,
					  .sa_flags = SA_RESTART };
	const struct itimerval each_second = { { 1, 0 }, { 1, 0 } };
	sigset_t alarms;

	signals_interrupted(s, 0);
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	sigaction(SIGALRM, &action, NULL);
	sigprocmask(SIG_UNBLOCK, &alarms, NULL);
	setitimer(ITIMER_REAL, &each_second, NULL);
}

void signals_end_writing(void)
{
	const struct itimerval never = { 0 };

	setitimer(ITIMER_REAL, &never, NULL);
}

void signals_release(struct signals *s)
{
	signals_interrupted(s, 0); /* a signal after the command's end must not end pstat now */
	sigprocmask(SIG_SETMASK, &s->before, NULL);
	if (s->fd >= 0)
		close(s->fd);
}
