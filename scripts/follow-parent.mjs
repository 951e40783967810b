// Preloaded under `npm start`: a server whose starter was killed stops as if it had been told to, instead of holding
// its port and its database for ever.
if (process.channel) {
  process.channel.unref();
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
}
