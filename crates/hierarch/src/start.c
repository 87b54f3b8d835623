/* A standard output that was closed (`hierarch ... >&-`) would be opened again as /dev/null before `main`, so that
 * all output vanished without a word. Opened here, for reading only, it can be told from a /dev/null that was meant. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

__attribute__((constructor)) static void keep_closed_output_apart(void)
{
    if (fcntl(STDOUT_FILENO, F_GETFD) != -1 || errno != EBADF)
        return;
    /* The lowest number that is free: standard output itself, or standard input, where that was closed too. */
    if (open("/dev/null", O_RDONLY) == STDIN_FILENO)
        dup2(STDIN_FILENO, STDOUT_FILENO);
}
