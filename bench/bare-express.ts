import type { AddressInfo } from 'node:net';
import express from 'express';
import { createPool } from '../src/db/pool.ts';

// The least cost of reading a member: Express, one prepared select on a pool of the service's size, and a response with
// the same fields. Without API keys, rate limit, checks and GraphQL.

const SELECT = `select m.id, m.external_customer_id, m.status, m.consent_status, m.identity_status, m.notice_version,
    m.consent_at, p.program_id, p.tier, p.enrolled, p.qualification_points, p.available, p.pending, p.reserved
  from members m
  left join program_profiles p on p.environment_id = m.environment_id and p.member_id = m.id
  where m.environment_id = $1 and m.external_customer_id = $2`;

/** Settings of the process, from its environment variables. */
const { BENCH_DATABASE_URL: url = '', BENCH_ENVIRONMENT_ID: environmentId = '' } = process.env;

const pool = createPool({ url, size: 10, applicationName: 'bench bare express' });
const app = express();
app.disable('x-powered-by').disable('etag');
app.get('/members/:externalId', async (request, response) => {
  const values = [environmentId, request.params.externalId];
  const { rows } = await pool.query({ name: 'bare', text: SELECT, values });
  const [member] = rows;
  if (!member) return void response.status(404).end();
  response.json({
    requestId: 'none',
    member: {
      id: member.id,
      externalCustomerId: member.external_customer_id,
      status: member.status,
      consentStatus: member.consent_status,
      identityStatus: member.identity_status,
      consent: { status: member.consent_status, noticeVersion: member.notice_version, at: member.consent_at },
    },
    programs: rows.map((row) => ({
      programId: row.program_id,
      tier: row.tier,
      status: row.enrolled ? 'enrolled' : 'unenrolled',
      qualificationPoints: row.qualification_points,
      balances: [
        { accountType: 'member', available: row.available, pending: row.pending, reserved: row.reserved },
      ],
    })),
  });
});
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('disconnect', () => process.exit(0));
