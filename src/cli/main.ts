import { runCommandLine } from './run.ts';

// A reader such as `| head` may close the pipe early. Further output is discarded, and the command ends normally.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await runCommandLine(process.argv.slice(2));
