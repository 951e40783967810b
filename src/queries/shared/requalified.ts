import { versionAt } from '../../programs/published/published-program.ts';
import { standingAt } from '../../rules/standing.ts';
import type { CurrentPrograms } from './current-programs.ts';
import type { MemberView } from './member-view.ts';

/** The member, with the re-qualifications that are due by now and that no job has stored yet. */
export function requalified({ member, profiles }: MemberView, { programs, at }: CurrentPrograms): MemberView {
  const standing = (profile: MemberView['profiles'][number]) => {
    if (!profile.enrolled || profile.requalifyAt === null || profile.requalifyAt > at) return profile;
    const program = programs.get(profile.programId);
    const version = program && versionAt(program, at);
    return version ? { ...profile, ...standingAt(version.document, profile, at) } : profile;
  };
  return { member, profiles: profiles.map(standing) };
}
