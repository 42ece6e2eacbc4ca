// What the pages under /docs do with JavaScript: forms to try operations, and old links. All else works without it.
const BASE = '/api/v2';
const STAYS = 'The token stays in this tab, and is sent to this service alone.';
const KEPT = 'rollcall-token';

/** An element with properties and children. */
const make = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

const on = (element, what, act) => element.addEventListener(what, act);

// What stood on a page once has a page of its own: a list there leads on. What the start page had is listed on others.
const leadOn = () => {
  const place = decodeURIComponent(location.hash.slice(1));
  const there = document.getElementById(place);
  const link = there?.matches('[data-leads-on] > *') && there.querySelector('a');
  const [kind] = /^(error|feed|get|post|put|patch|delete|resource)/.exec(place) ?? [];
  if (link) location.replace(link.href);
  else if (!there && kind && location.pathname === '/docs')
    location.replace(`/docs/${{ error: 'errors', feed: 'feed-items' }[kind] ?? 'operations'}#${place}`);
};
on(window, 'hashchange', leadOn);
leadOn();

/** The token lives in this tab alone. A browser may forbid even that. */
const kept = (token) => {
  try {
    if (token === undefined) return sessionStorage.getItem(KEPT) ?? '';
    if (token === '') sessionStorage.removeItem(KEPT);
    else sessionStorage.setItem(KEPT, token);
  } catch {}
  return token ?? '';
};

let fields = 0;
const labelled = (form, label, input) => {
  input.id = `try-${++fields}`;
  form.append(make('label', { htmlFor: input.id }, label), input);
  return input;
};
const text = (value = '', more = {}) => make('input', { value, autocomplete: 'off', spellcheck: false, ...more });

const formOf = (section) => {
  const [method, path] = section.dataset.operation.split(' ');
  const isWrite = method !== 'GET';
  const canBeTried = section.dataset.trial === 'yes';
  const example = section.querySelector('.address').textContent.split('?');
  const values = example[0].split('/');
  const form = make('form', { className: 'try' });
  form.append(make('p', {}, `${isWrite ? WRITES[section.dataset.trial] : ''} ${STAYS}`));
  const token = labelled(form, 'Token', text(kept(), { type: 'password' }));
  const business = labelled(
    form,
    'Service-Provider-ID, if the token reaches several businesses',
    text('', { inputMode: 'numeric' }),
  );
  const mode = labelled(form, 'Service-Request-Mode, for staff who are customers too', make('select'));
  mode.append(...['', 'provider', 'customer'].map((one) => make('option', {}, one)));
  const inPath = path
    .split('/')
    .flatMap((part, i) =>
      part.includes('{')
        ? [
            [
              part,
              labelled(form, `${part.replace(/^.*\{|\}.*$/g, '')} in the path`, text(decodeURIComponent(values[i]))),
            ],
          ]
        : [],
    );
  const query = labelled(form, 'Query, for example fields=id', text(example[1]));
  const sample = section.querySelector('.body')?.textContent.replaceAll(String.raw`'\''`, "'");
  const body =
    isWrite && section.dataset.body === 'yes'
      ? labelled(form, 'Body, as JSON', make('textarea', { value: sample ?? '{}', spellcheck: false }))
      : null;
  const save = make('input', { type: 'checkbox', id: `try-${++fields}` });
  if (canBeTried)
    form.append(
      make('label', { className: 'check', htmlFor: save.id }, save, ' Save what it does, at a test business'),
    );
  const forget = make('button', { type: 'button' }, 'Forget the token');
  on(forget, 'click', () => {
    kept('');
    token.value = '';
    token.focus();
  });
  const answer = make('div', { className: 'answer' });
  answer.setAttribute('role', 'status');
  form.append(make('button', {}, 'Send'), forget, answer);

  const ask = async (how, address, content) => {
    const headers = { accept: 'application/json' };
    if (token.value) headers.authorization = `Bearer ${token.value.trim()}`;
    if (business.value) headers['service-provider-id'] = business.value.trim();
    if (mode.value) headers['service-request-mode'] = mode.value;
    if (content !== undefined) headers['content-type'] = 'application/json';
    const options = { method: how, headers, body: content, credentials: 'omit', redirect: 'error' };
    return fetch(BASE + address, options);
  };

  const send = async () => {
    const search = new URLSearchParams(query.value);
    const isReal = isWrite && !(canBeTried && !save.checked);
    if (isWrite) search.delete('dry_run');
    if (isWrite && !isReal) search.set('dry_run', 'true');
    if (isReal) {
      // The same credential and headers reach the same business.
      const clock = await ask('GET', '/test_clock');
      if (!clock.ok || !(await clock.json()).is_test)
        return [make('p', {}, 'Nothing was sent: the token isn’t one of a test business that may see its clock.')];
    }
    const filled = inPath.reduce(
      (at, [part, input]) => at.replace(part, part.replace(/\{.*\}/, encodeURIComponent(input.value))),
      path,
    );
    const address = filled + (search.size > 0 ? `?${search}` : '');
    const response = await ask(method, address, body ? body.value || undefined : undefined);
    const type = response.headers.get('content-type') ?? '';
    const raw = /json|text|xml/.test(type) ? await response.text() : '';
    const shown = /json/.test(type) ? JSON.stringify(JSON.parse(raw), null, 2) : raw;
    return [
      make('p', {}, make('strong', {}, `${response.status} ${response.statusText}`), ` ${method} ${BASE}${address}`),
      make(
        'details',
        {},
        make('summary', {}, 'Headers'),
        make('pre', { tabIndex: 0 }, [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')),
      ),
      make('pre', { tabIndex: 0 }, shown || 'The answer has no body to show.'),
    ];
  };
  on(form, 'submit', async (event) => {
    event.preventDefault();
    kept(token.value.trim());
    answer.replaceChildren('Asking …');
    try {
      answer.replaceChildren(...(await send()));
    } catch (error) {
      answer.replaceChildren(make('p', {}, `There is no answer: ${error.message}`));
    }
  });
  return form;
};

const WRITES = {
  yes: 'It is tried with dry_run, which saves nothing, unless you say so.',
  no: 'It can’t be tried with dry_run, so it is sent at test businesses alone.',
};

for (const section of document.querySelectorAll('[data-operation]')) {
  const button = make('button', { type: 'button' }, 'Try it');
  button.setAttribute('aria-label', `Try it: ${section.dataset.operation}`);
  button.setAttribute('aria-expanded', 'false');
  let form;
  on(button, 'click', () => {
    if (form) form.hidden = !form.hidden;
    else button.after((form = formOf(section)));
    button.setAttribute('aria-expanded', String(!form.hidden));
    if (!form.hidden) form.querySelector('input').focus();
  });
  section.append(button);
}
