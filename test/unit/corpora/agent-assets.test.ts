// Skills and commands of public projects: each file loads, or is listed with the reason.
import assert from 'node:assert/strict';
import path from 'node:path';
import { readSkill } from '../../../src/core/skills/read-skill';
import { corpusFiles, tally, printFigures } from '../../support/corpus';

describe('skills and commands of the corpus', () => {
  it('load, or are listed with the reason', function () {
    const files = corpusFiles(this, 'agent-assets').filter(
      ({ name }) =>
        path.basename(name) === 'SKILL.md' || (/wshobson-commands.*\.md$/.test(name) && !name.includes('.github')),
    );
    assert.ok(files.length >= 50, `${files.length} files`);
    const codes = files.map(({ name, bytes }) => {
      const isSkill = path.basename(name) === 'SKILL.md';
      const place = {
        name: isSkill ? path.basename(path.dirname(name)) : path.basename(name, '.md'),
        kind: isSkill ? ('skill' as const) : ('command' as const),
      };
      const { skill, problems } = readSkill(bytes.toString('utf8'), {
        ...place,
        source: 'project',
        file: name,
        folder: path.dirname(name),
        root: '.',
      });
      for (const problem of problems) assert.match(problem, /\.$/, name);
      if (skill === undefined) return problems[0] ?? assert.fail(`${name} is neither a skill nor has it a problem`);
      assert.ok(skill.description.length > 0 && skill.description.length <= 1_536, name);
      return problems.length === 0 ? 'loaded' : 'loaded with a remark';
    });
    printFigures(tally(codes));
    assert.ok(codes.filter((code) => code.startsWith('loaded')).length >= files.length - 5);
  });
});
