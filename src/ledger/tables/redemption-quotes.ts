import type { RewardTerms } from '../../rules/rewards.ts';
import { OF_MEMBERS } from './handling.ts';
import { ofProfile } from './of-profile.ts';
import { updatedTable } from './table.ts';

export interface QuoteRecord {
  id: string;
  programId: string;
  memberId: string;
  rewardId: string;
  sourceReference: string;
  state: 'quoted' | 'reserved' | 'expired' | 'cancelled';
  points: number;
  terms: RewardTerms;
  expiresAt: Date;
  createdAt: Date;
}

export type QuoteSubject =
  | { kind: 'quote'; id: string }
  /** The quotes of a profile in the state `quoted`. With `profile`. */
  | { kind: 'openQuotes'; programId: string; externalCustomerId: string };

export const quotes = updatedTable<QuoteRecord, QuoteSubject>({
  name: 'redemption_quotes',
  handling: {
    owner: { members: ['member_id'] },
    exported: { ids: { id: 'quo', member_id: 'mem' }, order: ['created_at', 'id'], audited: true },
    erasure: { columns: { source_reference: 'reference' } },
    ...OF_MEMBERS,
  },
  columns: {
    id: 'uuid',
    programId: 'text',
    memberId: 'uuid',
    rewardId: 'text',
    sourceReference: 'text',
    state: 'text',
    points: 'bigint',
    terms: 'json',
    expiresAt: 'timestamptz',
    createdAt: 'timestamptz',
  },
  primaryKey: ['id'],
  constant: [
    'programId',
    'memberId',
    'rewardId',
    'sourceReference',
    'points',
    'terms',
    'expiresAt',
    'createdAt',
  ],
  inPlace: [],
  checks: { redemption_quotes_points_check: (row) => row.points > 0 },
  references: [
    {
      to: 'program_profiles',
      constraint: 'redemption_quotes_profile_fkey',
      properties: { programId: 'programId', memberId: 'memberId' },
    },
  ],
  lookUps: [
    { name: 'load_quotes', keyProperties: { quote: ['id'] } },
    {
      name: 'load_open_quotes',
      keyProperties: { openQuotes: ['programId', 'externalCustomerId'] },
      ...ofProfile<QuoteRecord>('redemption_quotes', 'quoted'),
    },
  ],
});
