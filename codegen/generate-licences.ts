import { readFileSync, writeFileSync } from 'node:fs';
import { projectFile } from './contract.ts';
import { printLicencesPage, readLicences } from './licences.ts';

const lockfile = JSON.parse(readFileSync(projectFile('package-lock.json'), 'utf8'));
writeFileSync(projectFile('docs/operate/licences.md'), printLicencesPage(readLicences(lockfile)));
