// /output-style: where the choice is written, and that nothing is claimed which does not hold.
import assert from 'node:assert/strict';
import { builtInStyles } from '../../../../src/core/styles/built-in-styles';
import { createOutputStyles } from '../../../../src/core/styles/find-styles';
import { type SettingsValues } from '../../../../src/core/settings/settings-keys';
import { saveStyle } from '../../../../src/vscode/styles/save-style';
import { createMemoryFiles } from '../../../support/memory-files';

describe('the choice of an output style', () => {
  const concise = builtInStyles.find(({ name }) => name === 'Concise') ?? assert.fail();
  const window = ({ trusted = true, workspace = '', global = '', managed = undefined as string | undefined } = {}) => {
    const set = { workspace, global };
    let own: string | undefined;
    const values = (): SettingsValues => {
      const outputStyle = managed ?? own;
      return outputStyle === undefined ? {} : { outputStyle };
    };
    // As VS Code does: a workspace's value counts only where it is trusted.
    const chosen = () =>
      trusted && set.workspace !== '' ? set.workspace : set.global !== '' ? set.global : values().outputStyle;
    const styles = createOutputStyles({
      files: createMemoryFiles({}),
      folders: async () => [],
      trusted: () => trusted,
      isHidden: () => false,
      chosen,
    });
    const rules = {
      values,
      saveSetting: async (_name: string, value: unknown) => ((own = String(value)), { saved: true } as const),
    };
    const save = () =>
      saveStyle(concise, {
        styles,
        rules,
        trusted,
        setting: { values: () => set, update: async (name, target) => void (set[target] = name) },
      });
    return { save, set, own: () => own, styles };
  };

  it("goes where one is set now: the workspace, VS Code's own, a settings file", async () => {
    for (const [given, workspace, global, own] of [
      [{ workspace: 'Learning', global: 'Default' }, 'Concise', 'Default', undefined],
      [{ global: 'Default' }, '', 'Concise', undefined],
      [{}, '', '', 'Concise'],
    ] as const) {
      const made = window(given);
      assert.equal(await made.save(), undefined);
      assert.deepEqual(
        [made.set.workspace, made.set.global, made.own(), (await made.styles.current()).name],
        [workspace, global, own, 'Concise'],
      );
    }
  });

  it('writes nothing into a workspace that is not trusted', async () => {
    const made = window({ trusted: false, workspace: 'Learning' });
    assert.equal(await made.save(), undefined);
    assert.deepEqual([made.set.workspace, made.own()], ['Learning', 'Concise']);
  });

  it('says so where a higher file decides, and what that says', async () => {
    assert.equal(
      await window({ managed: 'Learning' }).save(),
      '“Concise” is saved, but another settings file decides: its outputStyle is “Learning”.',
    );
  });
});
