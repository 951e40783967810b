import type { Command } from 'commander';
import { addVerifyAuditCommand } from './verify-audit.ts';
import { addVerifyAwardCommand } from './verify-award.ts';
import { addVerifyCloseCommand } from './verify-close.ts';
import { addVerifyExportCommand } from './verify-export.ts';
import { addVerifyLedgerCommand } from './verify-ledger.ts';

/** Adds `rewards verify …`. */
export function addVerifyCommands(cli: Command): void {
  const verify = cli.command('verify').description('checks of what is stored');
  addVerifyLedgerCommand(verify);
  addVerifyAwardCommand(verify);
  addVerifyCloseCommand(verify);
  addVerifyExportCommand(verify);
  addVerifyAuditCommand(verify);
}
