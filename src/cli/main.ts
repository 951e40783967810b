import { runCommandLine } from './run.ts';

// Who reads has read enough, as `| head` does: what is left to print goes nowhere, and the command still ends as it would.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await runCommandLine(process.argv.slice(2));
