import type { Pool } from 'pg';
import type { Connections } from '../db/pool.ts';
import type { UnreadableReceipt } from '../ledger/receipts/stored-receipt.ts';
import type { ProgramCatalog } from '../programs/published/program-catalog.ts';
import { SurfaceReader } from './customers/surface-reader.ts';
import { MemberReader } from './member-reader.ts';
import { PurchaseSnapshots } from './purchase-snapshot.ts';
import { ProgramReader, type ReadPrograms } from './shared/current-programs.ts';
import { Cursors } from './shared/cursors.ts';
import type { ListAccess } from './shared/listed.ts';
import type { MemberView } from './shared/member-view.ts';
import { ReadPool } from './shared/read-pool.ts';
import type { Replica, ReportReads } from './shared/replica.ts';
import { ResourceOwners } from './shared/resource-owners.ts';

/** What the reads of a process share. */
export class ReadSources {
  readonly reads: ReadPool;
  readonly catalog: ProgramCatalog;
  readonly cursors: Cursors;
  readonly programs: ProgramReader;
  readonly members: MemberReader;
  readonly snapshots: PurchaseSnapshots;
  readonly surfaces: SurfaceReader;
  readonly owners: ResourceOwners;
  readonly onUnreadable: (error: UnreadableReceipt) => void;
  /** How the reports of an environment are read: on the replica where there is one. */
  readonly reportsOf: (environmentId: string) => ReportReads;

  /** @param onUnreadable called with each receipt of a transaction that cannot be read */
  constructor(
    pool: Pool,
    catalog: ProgramCatalog,
    replica: Replica | null,
    onUnreadable: (error: UnreadableReceipt) => void,
  ) {
    this.reads = new ReadPool(pool);
    this.catalog = catalog;
    this.cursors = new Cursors(this.reads);
    this.programs = new ProgramReader(this.reads, catalog);
    this.members = new MemberReader(this.reads, this.programs);
    this.snapshots = new PurchaseSnapshots(this.reads, this.programs);
    this.surfaces = new SurfaceReader(this.reads, catalog);
    this.owners = new ResourceOwners(this.reads);
    this.onUnreadable = onUnreadable;
    this.reportsOf = reportReads(this.reads, replica);
  }
}

/** One read of one environment: the environment's share of the connections, and what the process shares. */
export class Reading {
  /** UUID. */
  readonly environmentId: string;
  readonly sources: ReadSources;
  /** The connections of the environment. */
  readonly connections: Connections;

  constructor(sources: ReadSources, environmentId: string) {
    this.sources = sources;
    this.environmentId = environmentId;
    this.connections = sources.reads.of(environmentId);
  }

  get list(): ListAccess {
    const { connections, environmentId } = this;
    return { connections, cursors: this.sources.cursors, environmentId };
  }

  get reports(): ReportReads {
    return this.sources.reportsOf(this.environmentId);
  }

  /** @returns null where the environment has no such member */
  member(externalCustomerId: string): Promise<MemberView | null> {
    return this.sources.members.find(this.environmentId, externalCustomerId);
  }

  /** The programs with the versions that are in effect. */
  programs(): Promise<ReadPrograms> {
    return this.sources.programs.read(this.environmentId);
  }
}

function reportReads(reads: ReadPool, replica: Replica | null): (environmentId: string) => ReportReads {
  if (!replica) return (environmentId) => (work) => work(reads.of(environmentId));
  const ownReads = new ReadPool(replica.pool);
  return (environmentId) => (work) => replica.read(reads.of(environmentId), ownReads.of(environmentId), work);
}
