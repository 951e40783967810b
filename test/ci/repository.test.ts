import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

// What meets those who come to the repository: the workflow, the templates, the owners, the settings of editors.

const ROOT = resolve(import.meta.dirname, '../..');
const FORMS = '.github/ISSUE_TEMPLATE';

interface Step {
  uses?: string;
  with?: Record<string, unknown>;
  run?: string;
}

interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, { 'runs-on': string; 'timeout-minutes': number; steps: Step[] }>;
}

interface IssueForm {
  name: string;
  description: string;
  body: { type: string; id?: string; attributes: { label?: string; value?: string } }[];
}

const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('the workflow', () => {
  const workflow = parse(text('.github/workflows/ci.yml')) as Workflow;
  const { checks } = workflow.jobs;
  const steps = checks?.steps ?? [];

  test('runs for pushes and pull requests on an Ubuntu runner, and may only read', () => {
    expect(Object.keys(workflow.on)).toEqual(['push', 'pull_request', 'workflow_dispatch']);
    expect(checks?.['runs-on']).toMatch(/^ubuntu-\d\d\.04$/);
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });

  test('checks out all commits, and ends with .ci/run', () => {
    expect(steps[0]).toMatchObject({
      uses: expect.stringMatching(/^actions\/checkout@v\d+$/),
      with: { 'fetch-depth': 0 },
    });
    expect(steps.at(-1)?.run).toBe('.ci/run');
    for (const script of ['.ci/run', '.ci/commit-subjects']) accessSync(join(ROOT, script), constants.X_OK);
  });

  test('has steps that are either an action or a script that bash can read', () => {
    for (const { uses, run } of steps) {
      expect([uses, run].filter((each) => each !== undefined)).toHaveLength(1);
      if (run)
        expect(spawnSync('bash', ['-n'], { input: run, encoding: 'utf8' })).toMatchObject({
          status: 0,
          stderr: '',
        });
    }
  });

  test('installs what .ci/run looks for, but for the browser that the runner has', () => {
    const wanted = Array.from(text('.ci/run').matchAll(/missing\+=\(([a-z0-9-]+)\)/g), ([, name]) => name);
    expect(wanted.length).toBeGreaterThan(5);
    const installed = steps.flatMap(({ run = '' }) => run.split(/\s+/));
    expect(wanted.filter((name) => !installed.includes(name ?? ''))).toEqual(['chromium']);
  });
});

describe('the templates of issues', () => {
  const forms = readdirSync(join(ROOT, FORMS)).filter((name) => name !== 'config.yml');

  test.each(forms)('%s is a form that GitHub takes', (name) => {
    const form = parse(text(`${FORMS}/${name}`)) as IssueForm;
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    const fields = form.body.filter(({ type }) => type !== 'markdown');
    expect(fields.length).toBeGreaterThan(0);
    for (const { type, id, attributes } of fields) {
      expect(['input', 'textarea', 'dropdown', 'checkboxes']).toContain(type);
      expect({ id, label: attributes.label }).toEqual({
        id: expect.stringMatching(/^[a-z]+$/),
        label: expect.any(String),
      });
    }
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  });
});

test('every path of CODEOWNERS is there, and has an owner', () => {
  const lines = text('.github/CODEOWNERS')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) {
    const [pattern = '', ...owners] = line.split(/\s+/);
    expect([pattern, pattern === '*' || existsSync(join(ROOT, pattern))]).toEqual([pattern, true]);
    expect(owners).toEqual([expect.stringMatching(/^@[\w-]+\/[\w-]+$/)]);
  }
});

test('editors are told what Biome and git do', () => {
  const { formatter } = JSON.parse(text('biome.json')) as {
    formatter: { indentWidth: number; lineWidth: number };
  };
  const settings = text('.editorconfig');
  expect(settings).toContain(`indent_style = space\nindent_size = ${formatter.indentWidth}\n`);
  expect(settings).toContain(`json,jsonc}]\nmax_line_length = ${formatter.lineWidth}\n`);
  expect(settings).toContain('end_of_line = lf\n');
  expect(text('.gitattributes')).toContain('* text=auto eol=lf\n');
});
