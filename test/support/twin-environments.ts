import type { Pool } from 'pg';

/** The first digits of a twin's UUID. No other environment has them: ids begin with the time of their creation. */
const MARK = 'ffffffff';

/** The environments of a database without the twins. */
export async function environmentsWithoutTwins(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from environments where not starts_with(id::text, $1) order by id`,
    [MARK],
  );
  return rows.map(({ id }) => id);
}

/** The twin of an environment. @param environmentId UUID */
export function twinOf(environmentId: string): string {
  return MARK + environmentId.slice(MARK.length);
}

/**
 * SQL that gives every environment of a database a twin with the same rows under the same ids, names and references,
 * and with all amounts doubled. A statement that does not compare the environment then finds two rows for one, or a sum
 * that is three times too high. Triggers keep the twins up to date; they check no foreign keys, because a statement
 * with several writes may write a reference first. Environments that exist already get no twin.
 */
export const INSTALL_TWINS = `
create schema test_twins;
do $install$
declare
  each record;
begin
  for each in
    select c.relname as name,
      case c.relname when 'environments' then 'id' else 'environment_id' end as environment,
      (select string_agg(quote_ident(a.attname), ', ') from pg_index i
        join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
        where i.indrelid = c.oid and i.indisprimary) as key,
      string_agg(format('%1$I = excluded.%1$I', a.attname), ', ') as set,
      string_agg(format('twin.%1$I := old_or_new.%1$I * 2;', a.attname), ' ')
        filter (where a.atttypid in ('bigint'::regtype, 'numeric'::regtype)) as doubled
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    group by c.oid, c.relname
    having bool_or(a.attname = 'environment_id') or c.relname = 'environments'
  loop
    execute format($create$
      create function test_twins.%1$I() returns trigger language plpgsql security definer
        set search_path = public, pg_catalog set session_replication_role = replica as $body$
      declare
        old_or_new public.%1$I := coalesce(new, old);
        twin public.%1$I := old_or_new;
      begin
        if starts_with(old_or_new.%2$I::text, '${MARK}') then return null; end if;
        twin.%2$I := overlay(old_or_new.%2$I::text placing '${MARK}' from 1)::uuid;
        %5$s
        if tg_op = 'DELETE' then
          delete from public.%1$I where (%3$s) = (%6$s);
        else
          insert into public.%1$I select twin.* on conflict (%3$s) do update set %4$s;
        end if;
        return null;
      end $body$;
      create trigger twin after insert or update or delete on public.%1$I
        for each row execute function test_twins.%1$I();
    $create$, each.name, each.environment, each.key, each.set, coalesce(each.doubled, ''),
      (select string_agg('twin.' || part, ', ') from unnest(string_to_array(each.key, ', ')) as part));
  end loop;
end $install$;`;
