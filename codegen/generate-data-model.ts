import { writeFileSync } from 'node:fs';
import { projectFile } from './contract.ts';
import { readDataModel } from './data-model.ts';
import { printDataModelPage } from './data-model-page.ts';

writeFileSync(projectFile('docs/internals/data-model.md'), printDataModelPage(readDataModel()));
