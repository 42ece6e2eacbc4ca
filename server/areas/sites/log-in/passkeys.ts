/**
 * Passkeys: managing one's own, and logging in with one. The other pages work without them, and without the script that
 * they need.
 */
import {
  addPasskey,
  isFresh,
  listPasskeys,
  logInWithPasskey,
  passkeyCreation,
  passkeyHost,
  passkeyRequest,
  reauthenticate,
  removePasskey,
  renamePasskey,
} from '../../people/identity/index.ts';
import {
  type Business,
  at,
  type Entrance,
  enter,
  forMembers,
  waitFor,
  whence,
  type At,
  type Desk,
  type Member,
  passkeyFields,
  passkeyLogInFields,
  passkeyNameFields,
  proofFields,
  withDone,
  writtenFor,
} from '../frame/index.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { passkeysPage, type SentPasskeyForm } from './views/passkeys.ts';
import { readFileSync } from 'node:fs';
import { readForm, withError } from '../../../kernel/pages/form.ts';
import { scriptOf } from '../../../kernel/pages/script.ts';
import { seeOther, type PageAnswer, type Visit } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const PAGE = 'profile/passkeys';

export const PASSKEY_SCRIPT = scriptOf('passkeys', readFileSync(new URL('./passkeys.js', import.meta.url), 'utf8'));

/** Returns the browser's options for a log-in with a passkey; null: no passkey works at this address. */
export async function requestFor({ door }: Desk, { baseUrl }: Visit): Promise<object | null> {
  const host = passkeyHost(baseUrl);
  return host === null ? null : passkeyRequest(door, host);
}

/** Logs in the owner of the passkey. Not `entered`: the passkey is unknown, or the answer was used before. */
export async function enterWithPasskey(
  desk: Desk,
  visit: Visit<Entrance>,
): Promise<{ entered: boolean; returnTo: string }> {
  const { values } = readForm(passkeyLogInFields, visit.sent);
  const { response = '', keep = '', return_to: returnTo = '' } = values ?? {};
  const answer = await logInWithPasskey(desk.door, { response, baseUrl: visit.baseUrl }, whence(visit));
  if (answer.outcome !== 'accepted') return { entered: false, returnTo };
  // A passkey is the device and what unlocks it: both steps in one.
  await enter(desk, visit, { userId: answer.userId, secondFactor: true, keep: keep === 'on' });
  return { entered: true, returnTo };
}

export function passkeyRoutes(desk: Desk): PageRoute<Business>[] {
  const form = (
    name: string,
    charged: 'page' | 'credentials',
    act: (visit: At, member: Member) => Promise<PageAnswer>,
  ): PageRoute<Business> => ({
    path: `/{provider_id}/${PAGE}/${name}`,
    charged,
    get: async ({ site }) => seeOther(at(site, PAGE)),
    post: forMembers(desk, act, PAGE),
  });
  return [
    {
      path: `/{provider_id}/${PAGE}`,
      charged: 'page',
      get: forMembers(desk, (visit, member) => show(desk, visit, member)),
    },
    form('proof', 'credentials', async (visit, member) => {
      const { say } = writtenFor(visit);
      const { values, draft } = readForm(proofFields(say), visit.sent, say);
      if (!values) return show(desk, visit, member, { form: 'proof', draft });
      const answer = await reauthenticate(desk.door, member.session, values.current_password, whence(visit));
      if (answer.outcome === 'accepted') {
        visit.renewSession(answer.token);
        return seeOther(at(visit.site, PAGE));
      }
      const wrong =
        answer.outcome === 'refused'
          ? withError(draft, 'current_password', say('proof.refused'))
          : withError(draft, '', waitFor(answer, say), 429);
      return show(desk, visit, member, { form: 'proof', draft: wrong });
    }),
    form('add', 'credentials', async (visit, member) => {
      const { say } = writtenFor(visit);
      const { values, draft } = readForm(passkeyFields(say), visit.sent, say);
      if (!values) return show(desk, visit, member, { form: 'add', draft });
      const { outcome } = await addPasskey(
        desk.door,
        member.session,
        { ...values, baseUrl: visit.baseUrl },
        whence(visit),
      );
      if (outcome === 'accepted') return done(visit, 'passkey-added');
      const why = say(outcome === 'full' ? 'passkey.full' : 'passkey.not_added');
      return show(desk, visit, member, { form: 'add', draft: withError(draft, '', why) });
    }),
    form('rename', 'page', async (visit, member) => {
      const { say } = writtenFor(visit);
      const { values, draft } = readForm(passkeyNameFields(say), visit.sent, say);
      if (!values) return show(desk, visit, member, { form: 'rename', draft });
      const renamed = await renamePasskey(desk.door, member.session, idIn(values.id), values.name);
      return done(visit, renamed ? 'passkey-renamed' : 'not-possible');
    }),
    form('remove', 'page', async (visit, { session }) => {
      const removed = await removePasskey(desk.door, session, idIn(visit.sent.get('id')), whence(visit));
      return done(visit, removed ? 'passkey-removed' : 'not-possible');
    }),
  ];
}

const done = ({ site }: At, what: string): PageAnswer => seeOther(withDone(at(site, PAGE), what));

/**
 * Shows the passkeys. Only somebody who has just proved their identity may change them: anyone who finds an open window
 * can't add one.
 */
async function show(
  desk: Desk,
  visit: At,
  { session, account }: Member,
  sent: SentPasskeyForm | null = null,
): Promise<PageAnswer> {
  const passkeys = await desk.door.db.acrossTenants('an account belongs to no business', (tx) =>
    listPasskeys(tx, account.id),
  );
  const [host, fresh, confirmed] = [
    passkeyHost(visit.baseUrl),
    isFresh(session, visit.now),
    account.emailConfirmedAt !== null,
  ];
  const person = { id: account.id, email: account.email, name: `${account.firstName} ${account.lastName}`.trim() };
  const creation = host && fresh && confirmed ? await passkeyCreation(desk.door, person, host, visit.site.name) : null;
  return passkeysPage(visit, PASSKEY_SCRIPT, { passkeys, creation, confirmed, fresh }, sent);
}
