/* A character device, as a driver has it: a table of operations for the kernel to call. */
#include <assert.h>

#define ROOM 16

struct inode;
struct file {
  unsigned flags;
};
struct file_operations {
  int (*open)(struct inode *inode, struct file *file);
  long (*write)(struct file *file, const char *data, unsigned long size);
  int (*release)(struct inode *inode, struct file *file);
};

extern int register_device(const struct file_operations *operations);
extern void unregister_device(void);

static int locked, users;
static unsigned long used;

static void lock(void)
{
  assert(!locked);
  locked = 1;
}

static void unlock(void)
{
  assert(locked);
  locked = 0;
}

static int device_open(struct inode *inode, struct file *file)
{
  lock();
  users++;
  file->flags = 0;
  unlock();
  return 0;
}

static long device_write(struct file *file, const char *data, unsigned long size)
{
  lock();
  if (size > ROOM - used) {
    unlock();
    return -1;
  }
  used += size;
  unlock();
  return size;
}

static int device_release(struct inode *inode, struct file *file)
{
  lock();
  if (--users == 0)
    used = 0;
  unlock();
  return 0;
}

static const struct file_operations operations = {
  .open = device_open,
  .write = device_write,
  .release = device_release,
};

int device_init(void)
{
  return register_device(&operations);
}

void device_exit(void)
{
  unregister_device();
}
