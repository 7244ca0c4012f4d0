#include <pthread.h>
static void *work(void *p) { return p; }
int main(void)
{
  pthread_t t;
  return pthread_create(&t, 0, work, 0); // refused: 10 pthread_create: threads are not supported
}
