// Preloaded into the program that scripts/launch.mjs runs. It reports received signals to the launcher, and stops the
// program when the launcher is killed: otherwise a server would keep its port and its database for ever.
import { constants } from 'node:os';

// Child processes of the program, such as workers, inherit the preload but have another parent.
if (process.channel && process.env.REWARDS_STARTER_PID === String(process.ppid)) {
  process.channel.unref();
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      if (process.connected) process.send({ receivedSignal: signal });
      // A listener disables the default action. While the program has no listener of its own, exit as the default does.
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
    });
  }
  // The terminal was closed: stop as on SIGTERM.
  process.on('SIGHUP', () => {
    if (process.connected) process.send({ receivedSignal: 'SIGHUP' });
    process.kill(process.pid, 'SIGTERM');
  });
}
