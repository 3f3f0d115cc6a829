// What is dangerous about a call, above its answers: a mark and a few words each.
import { type CallRisk } from '../../src/shared/permission';
import { Hidden } from '../parts/disclosure';
import { Icon } from '../parts/icon';
import { VisibleWords } from '../parts/visible';

const icons: Readonly<Record<CallRisk['kind'], string>> = {
  deletes: 'trash',
  forces: 'warning',
  outside: 'link-external',
  network: 'globe',
  unread: 'question',
};

export function Risks({ risks }: { risks: readonly CallRisk[] | undefined }) {
  if (risks === undefined || risks.length === 0) return null;
  return (
    <ul class="risks" aria-label="What to look at">
      {risks.map(({ kind, text, grave }) => (
        <li key={text} class={grave === true ? 'risk risk-grave' : 'risk'}>
          <Icon name={icons[kind]} />
          <span>
            {grave === true && <Hidden>Dangerous: </Hidden>}
            <VisibleWords text={text} />
          </span>
        </li>
      ))}
    </ul>
  );
}
