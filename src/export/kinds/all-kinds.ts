import { audit } from './audit.ts';
import type { Kind, KindName } from './kind.ts';
import { lots } from './lots.ts';
import { members } from './members.ts';
import { postings } from './postings.ts';
import { transactions } from './transactions.ts';

/** What can be exported. */
export const KINDS: Readonly<Record<KindName, Kind>> = { transactions, postings, members, lots, audit };
