import type { FinanceSection } from '../../contract/generated/types.ts';
import type { Connections } from '../../db/pool.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import { programNotFound, type Refusal, refuse } from '../../refusal.ts';
import { type Approval, approvalsOf, policyOf } from './ledger-close/policy.ts';

/** The sections of a version that finance approves. */
export interface FinanceSections {
  programId: string;
  configurationVersion: number;
  publishedBy: string;
  /** Only those that the version has. */
  sections: FinanceSection[];
}

/** @returns refusals: `program_not_found`, `version_not_found` */
export async function readFinanceSections(
  connections: Connections,
  environmentId: string,
  programId: string,
  configurationVersion: number,
): Promise<FinanceSections | Refusal> {
  const { rows } = await connections.query<Row>({
    name: 'read_finance_sections',
    text: `select n.newest, v.published_by, v.document, (
        select coalesce(json_agg(json_build_object('section', a.section, 'sectionHash', encode(a.section_hash, 'hex'),
          'version', a.version, 'approvedBy', a.approved_by, 'approvedAt', a.approved_at)), '[]')
        from finance_approvals a where a.environment_id = $1::uuid and a.program_id = $2
      ) as approvals
      from (
        select max(version) as newest from program_versions where environment_id = $1::uuid and program_id = $2
      ) n
      left join program_versions v on v.environment_id = $1::uuid and v.program_id = $2 and v.version = $3::integer
      where n.newest is not null`,
    values: [environmentId, programId, configurationVersion],
  });
  const [row] = rows;
  if (!row) return programNotFound;
  const { document, published_by: publishedBy, newest } = row;
  if (document === null || publishedBy === null) {
    return refuse(
      'version_not_found',
      `${programId} has no version ${configurationVersion}; its versions are 1 to ${newest}.`,
    );
  }
  const sections = sectionsOf({ version: configurationVersion, document }, row.approvals);
  return { programId, configurationVersion, publishedBy, sections };
}

interface Row {
  newest: number;
  published_by: string | null;
  document: ProgramDocument | null;
  approvals: (Omit<Approval, 'approvedAt'> & { approvedAt: string })[];
}

function sectionsOf(
  version: { version: number; document: ProgramDocument },
  stored: Row['approvals'],
): FinanceSection[] {
  const policy = policyOf(version);
  const all = stored.map((one) => ({ ...one, approvedAt: new Date(one.approvedAt) }));
  const approvals = approvalsOf(policy, all);
  return (['finance', 'journal'] as const).flatMap((section) => {
    const content = version.document[section];
    const hashed = policy[section];
    if (!content || !hashed) return [];
    const approval = approvals.find((one) => one.section === section) ?? null;
    const missingAccounts = section === 'journal' ? (policy.journal?.missing ?? []) : [];
    return [{ section, content: { ...content }, sectionHash: hashed.sectionHash, missingAccounts, approval }];
  });
}
