/* Notes what was flushed to disk: see power_cut.py.

cc -shared -fPIC -o power_cut.so power_cut.c
POWER_CUT=/folder/below/which/to/watch POWER_CUT_NOTES=/notes LD_PRELOAD=power_cut.so command

Before a file is flushed its inode and size are noted and it is linked into /notes under its inode, so that its
content is still there after an unlink; before a folder is flushed, its entries. A block ends with a dot: one that
a kill has cut short does not count. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *describe(int fd) {
  const char *root = getenv("POWER_CUT"), *notes = getenv("POWER_CUT_NOTES");
  char link_name[64], path[PATH_MAX], kept[PATH_MAX + 32], *text = NULL;
  struct stat at;
  size_t size;
  if (!root || !notes || fstat(fd, &at)) return NULL;
  snprintf(link_name, sizeof link_name, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link_name, path, sizeof path - 1);
  if (length < 0 || (path[length] = 0, strncmp(path, root, strlen(root)))) return NULL;
  FILE *out = open_memstream(&text, &size);
  if (S_ISDIR(at.st_mode)) {
    fprintf(out, "folder\t%s\n", path);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
      if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
        fprintf(out, "entry\t%s\t%lu\n", entry->d_name, (unsigned long)entry->d_ino);
    if (folder) closedir(folder);
  } else {
    snprintf(kept, sizeof kept, "%s/%lu", notes, (unsigned long)at.st_ino);
    if (link(path, kept) && errno != EEXIST) perror(path);
    fprintf(out, "file\t%lu\t%lld\n", (unsigned long)at.st_ino, (long long)at.st_size);
  }
  fprintf(out, ".\n");
  fclose(out);
  return text;
}

static int flush(int fd, const char *name) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  char *text = describe(fd), path[PATH_MAX + 8];
  int result = real(fd), error = errno;
  if (text && !result) {
    snprintf(path, sizeof path, "%s/log", getenv("POWER_CUT_NOTES"));
    int log = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (log < 0 || write(log, text, strlen(text)) < 0) abort();
    close(log);
  }
  free(text);
  errno = error;
  return result;
}

int fsync(int fd) { return flush(fd, "fsync"); }
int fdatasync(int fd) { return flush(fd, "fdatasync"); }
