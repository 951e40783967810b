import { totalmem } from 'node:os';

const MEBIBYTE = 1024 * 1024;

/**
 * The text of the cluster's settings file, for a small machine that also runs the service.
 * @param port on 127.0.0.1, the only address that Postgres listens on
 * @param socketDir folder of the Unix socket, or null for none
 * @param overrides settings by name that replace the ones here, such as `{ fsync: 'off' }` in tests
 */
export function clusterSettings(
  port: number,
  socketDir: string | null,
  overrides: Readonly<Record<string, string>>,
): string {
  const constrained = process.constrainedMemory();
  const memoryMiB = Math.min(totalmem(), constrained > 0 ? constrained : totalmem()) / MEBIBYTE;
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: socketDir ?? '',
    unix_socket_permissions: '0700',
    max_connections: '120',
    password_encryption: 'scram-sha-256',
    // A commit is acknowledged only once it is on disk.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    // An eighth of the memory: what a history of a million transactions needs at once fits in two gigabytes.
    shared_buffers: `${Math.round(Math.min(2048, Math.max(64, memoryMiB / 8)))}MB`,
    effective_cache_size: `${Math.round(Math.max(256, memoryMiB / 2))}MB`,
    wal_buffers: '16MB',
    // Limits recovery after a crash to a few seconds, and still keeps checkpoints apart.
    max_wal_size: '1GB',
    min_wal_size: '128MB',
    checkpoint_timeout: '5min',
    checkpoint_completion_target: '0.9',
    random_page_cost: '1.1',
    // Statements are short and cores few: neither JIT compilation nor parallel workers pay off. Parallel workers would
    // also need more of /dev/shm than the 64 MiB of a container.
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    log_checkpoints: 'off',
    // Rows and parameters contain personal data, so neither is logged.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    ...overrides,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`);
  return `# Written at every start.\n${lines.join('\n')}\n`;
}
