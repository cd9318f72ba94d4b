/* The start of an AppImage (type 2): runs AppRun of the squashfs image that stands behind this program in its file.
 *
 * The image is mounted by FUSE; where that is not possible, or --appimage-extract-and-run is given, it is unpacked
 * into a private temporary folder. The process that was started becomes AppRun, so signals and the exit status are
 * its own. Another process serves the mount, or removes the folder, once it has ended: it holds one end of a pipe
 * whose other end AppRun inherits. Built by packaging/make-appimage-runtime.
 */
#define _GNU_SOURCE
#include <squashfuse/config.h>
#include <squashfuse/ll.h>
#include <squashfuse/traverse.h>
#include <squashfuse/util.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define VERSION_LINE "MeshGUI AppImage runtime 1"

/* libsquashfuse reads five compressions; MeshGUI's images have one, so the libraries of the others stay out. */
int lzo1x_decompress_safe(void) { return -1; }
int LZ4_decompress_safe(void) { return -1; }
int lzma_stream_buffer_decode(void) { return -1; }
int uncompress(void) { return -1; }

static void fail(const char *what, const char *name) {
    fprintf(stderr, "meshgui: %s %s: %s\n", what, name, strerror(errno));
    exit(127);
}

/* Where the image begins: behind the last section header, which the linker writes last. */
static size_t end_of_program(const char *file) {
    Elf64_Ehdr head;
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || pread(fd, &head, sizeof head, 0) != sizeof head) fail("cannot read", file);
    close(fd);
    return head.e_shoff + (size_t)head.e_shentsize * head.e_shnum;
}

/* A private folder in the folder for temporary files. */
static char *temporary_folder(void) {
    static char path[PATH_MAX];
    const char *base = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/.meshgui-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(path)) fail("cannot make a folder such as", path);
    return path;
}

/* Unpacking */

static void write_file(sqfs *fs, sqfs_inode *inode, const char *path) {
    static char buffer[1 << 20];
    uint64_t done = 0, size = inode->xtra.reg.file_size;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, inode->base.mode & 0777);
    if (fd < 0) fail("cannot write", path);
    while (done < size) {
        sqfs_off_t part = sizeof buffer;
        if (sqfs_read_range(fs, inode, done, &part, buffer) || part <= 0) {
            errno = EIO;
            fail("the AppImage is damaged at", path);
        }
        for (sqfs_off_t at = 0; at < part;) {
            ssize_t written = write(fd, buffer + at, part - at);
            if (written < 0) fail("cannot write", path);
            at += written;
        }
        done += part;
    }
    close(fd);
}

static int unpack(sqfs *fs, const char *folder) {
    sqfs_traverse walk;
    sqfs_err error = sqfs_traverse_open(&walk, fs, sqfs_inode_root(fs));
    while (!error && sqfs_traverse_next(&walk, &error)) {
        char path[PATH_MAX], target[PATH_MAX];
        size_t size = sizeof target;
        sqfs_inode inode;
        if (walk.dir_end) continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, walk.path) >= (int)sizeof path) return -1;
        if ((error = sqfs_inode_get(fs, &inode, sqfs_dentry_inode(&walk.entry)))) break;
        if (S_ISDIR(inode.base.mode)) {
            if (mkdir(path, 0755)) fail("cannot make", path);
        } else if (S_ISLNK(inode.base.mode)) {
            if ((error = sqfs_readlink(fs, &inode, target, &size))) break;
            if (symlink(target, path)) fail("cannot make", path);
        } else if (S_ISREG(inode.base.mode)) {
            write_file(fs, &inode, path);
        }
    }
    sqfs_traverse_close(&walk);
    return error;
}

static int remove_one(const char *path, const struct stat *found, int kind, struct FTW *place) {
    (void)found, (void)kind, (void)place;
    return remove(path);
}

static void remove_folder(const char *folder) { nftw(folder, remove_one, 32, FTW_DEPTH | FTW_PHYS); }

/* Mounting */

static const struct fuse_lowlevel_ops OPERATIONS = {
    .getattr = sqfs_ll_op_getattr, .opendir = sqfs_ll_op_opendir, .releasedir = sqfs_ll_op_releasedir,
    .readdir = sqfs_ll_op_readdir, .lookup = sqfs_ll_op_lookup, .open = sqfs_ll_op_open,
    .release = sqfs_ll_op_release, .read = sqfs_ll_op_read, .readlink = sqfs_ll_op_readlink,
    .forget = sqfs_ll_op_forget, .statfs = stfs_ll_op_statfs,
};

/* Whether fusermount3 is there, and the list of mounts without which it takes none away. */
static int has_fusermount(void) {
    char *path = strdup(getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin"), file[PATH_MAX];
    if (access("/etc/mtab", R_OK)) return 0;
    for (char *part = strtok(path, ":"); part; part = strtok(NULL, ":")) {
        snprintf(file, sizeof file, "%s/fusermount3", part);
        if (!access(file, X_OK)) return 1;
    }
    return 0;
}

/* A FUSE session of the mounted image, or NULL where that is not possible; libfuse's words on it are not shown. */
static struct fuse_session *mounted(const char *self, size_t offset, const char *folder) {
    char *words[] = {"meshgui", "-o", "ro,nodev,nosuid,fsname=meshgui.AppImage,subtype=squashfuse"};
    struct fuse_args arguments = FUSE_ARGS_INIT(3, words);
    struct fuse_session *session = NULL;
    int null, shown;
    if (access("/dev/fuse", R_OK | W_OK) || (geteuid() && !has_fusermount())) return NULL;
    fflush(stderr);
    shown = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3), null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(null, STDERR_FILENO);
    sqfs_ll *image = sqfs_ll_open(self, offset);
    if (image) session = fuse_session_new(&arguments, &OPERATIONS, sizeof OPERATIONS, image);
    if (session && fuse_session_mount(session, folder)) session = NULL;
    if (shown >= 0) dup2(shown, STDERR_FILENO), close(shown);
    close(null);
    return session;
}

/* Take the mount out of sight, if possible; it ends once the last file in it is closed. */
static int detach(const char *folder) {
    char *words[] = {"fusermount3", "-u", "-z", "-q", (char *)folder, NULL}, *none[] = {"PATH=/usr/local/bin:/usr/bin:/bin", NULL};
    pid_t child;
    int status = 1;
    if (geteuid() == 0 && !umount2(folder, MNT_DETACH)) return 1;
    return !posix_spawnp(&child, words[0], NULL, NULL, words, none) && waitpid(child, &status, 0) > 0 && !status;
}

static void serve(struct fuse_session *session, int alive, const char *folder) {
    struct fuse_buf buffer = {0};
    struct pollfd ends[] = {{fuse_session_fd(session), POLLIN, 0}, {alive, POLLIN, 0}};
    while (!fuse_session_exited(session)) {
        if (poll(ends, 2, -1) < 0 && errno != EINTR) break;
        if (ends[1].revents) {
            if (!detach(folder)) break;
            rmdir(folder);
            ends[1].fd = -1, ends[1].revents = 0;
        }
        if (!ends[0].revents) continue;
        int size = fuse_session_receive_buf(session, &buffer);
        if (size == -EINTR || size == -EAGAIN) continue;
        if (size <= 0) break;
        fuse_session_process_buf(session, &buffer);
    }
}

/* Both */

/* A process that nobody waits for, which ends what was set up once AppRun has ended. */
static void leave_behind(struct fuse_session *session, const char *folder) {
    int pipe_ends[2];
    if (pipe(pipe_ends)) fail("cannot make", "a pipe");
    pid_t child = fork();
    if (child < 0) fail("cannot start", "a process");
    if (child == 0) {
        if (fork()) _exit(0);
        setsid();
        int null = open("/dev/null", O_RDWR | O_CLOEXEC);
        for (int fd = 0; fd < 3; fd++) dup2(null, fd);
        close(pipe_ends[1]);
        if (chdir("/")) _exit(1);
        if (session) {
            serve(session, pipe_ends[0], folder);
        } else {
            char byte;
            while (read(pipe_ends[0], &byte, 1) < 0 && errno == EINTR) continue;
            remove_folder(folder);
        }
        _exit(0);
    }
    waitpid(child, NULL, 0);
    close(pipe_ends[0]);
    if (session) close(fuse_session_fd(session));
}

static int is(const char *word, const char *name) { return word && !strcmp(word, name); }

int main(int count, char **words) {
    static char self[PATH_MAX], program[PATH_MAX + 8], here[PATH_MAX];
    sqfs fs;
    sqfs_fd_t fd;
    if (!realpath("/proc/self/exe", self)) fail("cannot find", "this program; is /proc mounted?");
    size_t offset = end_of_program(self);
    const char *first = count > 1 ? words[1] : NULL;
    int unpacked = getenv("APPIMAGE_EXTRACT_AND_RUN") != NULL;

    if (is(first, "--appimage-offset")) return printf("%zu\n", offset) < 0;
    if (is(first, "--appimage-version")) return puts(VERSION_LINE) < 0;
    if (is(first, "--appimage-help"))
        return puts("--appimage-extract            unpack into squashfs-root and end\n"
                    "--appimage-extract-and-run    unpack into a temporary folder and run from there\n"
                    "--appimage-offset             print where the image begins\n"
                    "--appimage-version            print the version of this start") < 0;
    if (is(first, "--appimage-extract")) {
        if (mkdir("squashfs-root", 0755)) fail("cannot make", "squashfs-root");
        if (sqfs_fd_open(self, &fd, true) || sqfs_init(&fs, fd, offset) || unpack(&fs, "squashfs-root"))
            errno = EIO, fail("cannot unpack", self);
        return 0;
    }
    if (is(first, "--appimage-extract-and-run")) {
        unpacked = 1;
        words[1] = words[0];
        words++;
    }

    char *folder = temporary_folder();
    struct fuse_session *session = unpacked ? NULL : mounted(self, offset, folder);
    leave_behind(session, folder); /* before unpacking, so that a part of it is removed too */
    if (!session && (sqfs_fd_open(self, &fd, true) || sqfs_init(&fs, fd, offset) || unpack(&fs, folder)))
        errno = EIO, fail("cannot unpack", self);
    setenv("APPIMAGE", self, 1);
    setenv("APPDIR", folder, 1);
    setenv("ARGV0", words[0], 1);
    if (getcwd(here, sizeof here)) setenv("OWD", here, 1);
    snprintf(program, sizeof program, "%s/AppRun", folder);
    execv(program, words);
    fail("cannot run", program);
}
