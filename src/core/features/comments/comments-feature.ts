// Gives a session with comments of the user the tool that answers them; without comments it adds nothing to any request.
import { type FeatureFactory } from '../../feature/session-feature';
import { toolDenial } from '../../permissions/rules/tool-rules';
import { followComments } from '../../tool/session-comments';
import { type AnyTool } from '../../tool/tool';
import { reviewTool } from '../../tools/review';

const none: readonly AnyTool[] = [];
const offered: readonly AnyTool[] = [reviewTool];

export const commentsFeature: FeatureFactory = ({ settings }) => {
  const comments = followComments(settings.records);
  const isDenied = (): boolean =>
    toolDenial(settings.permission.current().rules.filter(({ behavior }) => behavior === 'deny'))(reviewTool.name);
  return {
    name: 'comments',
    tools: () => (comments().size === 0 || isDenied() ? none : offered),
    forTools: { comments },
  };
};
