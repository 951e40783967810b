// Preloaded into what scripts/launch.mjs runs. Tells it which signals have come already, and stops when it is killed:
// a server whose starter is gone would hold its port and its database for ever.
import { constants } from 'node:os';

// Processes that the program starts itself, such as workers, inherit the preload but have another parent.
if (process.channel && process.env.REWARDS_STARTER_PID === String(process.ppid)) {
  process.channel.unref();
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      if (process.connected) process.send({ receivedSignal: signal });
      // A listener switches the default off. While the program has none of its own, this is the default.
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
    });
  }
  // The terminal was closed: a stop like any other.
  process.on('SIGHUP', () => {
    if (process.connected) process.send({ receivedSignal: 'SIGHUP' });
    process.kill(process.pid, 'SIGTERM');
  });
}
