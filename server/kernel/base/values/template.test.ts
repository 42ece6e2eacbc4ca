import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { htmlOfText, renderTemplate, templateProblem } from './template.ts';

const FIELDS = [
  { name: 'customer.first_name', description: '', sample: 'Ada' },
  { name: 'event.name', description: '', sample: 'Rowing' },
];
const text = fc.string({ unit: 'binary', maxLength: 200 });
const near = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '{{',
        '}}',
        '{',
        '}',
        '|',
        'customer.first_name',
        'event.name',
        '{{event.name}}',
        ' ',
        '<',
        '&',
        '"',
        '\n',
      ),
      fc.string({ maxLength: 5 }),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));

test('a field is filled in, escaped for its destination', () => {
  const values = { 'event.name': `<b>"Row" & 'go'</b>`, 'customer.first_name': null };
  const template = 'Hi {{customer.first_name|you}}: {{ event.name }}';
  assert.equal(renderTemplate(template, values, { as: 'text' }), `Hi you: <b>"Row" & 'go'</b>`);
  assert.equal(
    renderTemplate(template, values, { as: 'html' }),
    'Hi you: &lt;b&gt;&quot;Row&quot; &amp; &#39;go&#39;&lt;/b&gt;',
  );
  assert.equal(
    renderTemplate('{{event.name}}', { 'event.name': 'a\r\nBcc: eve@example.com' }, { as: 'subject' }),
    'a Bcc: eve@example.com',
  );
});

// Guards against: Injecting markup, fields or headers into a message through a name
test('a template that would not render as intended is refused, with the reason', () => {
  for (const right of ['', 'Plain { } text', '{{event.name}}', '{{ event.name | words }}', '{{event.name|}}'])
    assert.equal(templateProblem(right, FIELDS), null, right);
  for (const wrong of [
    '{{event.nam}}',
    '{{event.name',
    'event.name}}',
    '{{ }}',
    '{{Event.Name}}',
    '{{event.name|{{customer.first_name}}}}',
    '{{{event.name}}}x}}',
  ])
    assert.notEqual(templateProblem(wrong, FIELDS), null, wrong);
});

test('any template that passes the check renders without leftover braces', () => {
  fc.assert(
    fc.property(near, (template) => {
      if (templateProblem(template, FIELDS) !== null) return;
      assert.doesNotMatch(
        renderTemplate(template, { 'event.name': 'x', 'customer.first_name': 'y' }, { as: 'text' }),
        /\{\{|\}\}/,
      );
    }),
  );
});

// Guards against: Injecting markup, fields or headers into a message through a name
test('no value can create markup, a field or a header line', () => {
  fc.assert(
    fc.property(text, near, (value, template) => {
      const values = { 'event.name': value, 'customer.first_name': value };
      assert.doesNotMatch(renderTemplate('{{event.name}}', values, { as: 'html' }).replaceAll('<br>', ''), /[<>"']/);
      assert.equal(
        renderTemplate(
          '{{event.name}}',
          { 'event.name': '{{customer.first_name}}', 'customer.first_name': value },
          { as: 'text' },
        ),
        '{{customer.first_name}}',
      );
      assert.doesNotMatch(renderTemplate(template, values, { as: 'subject' }), /[\p{Cc}\p{Zl}\p{Zp}]/u);
    }),
  );
});

test('a text becomes equivalent HTML, with links to web addresses only', () => {
  assert.equal(
    htmlOfText('a\nb\n\nsee https://example.com/x?a=1&b=2.'),
    '<p>a<br>b</p>\n<p>see <a href="https://example.com/x?a=1&amp;b=2">https://example.com/x?a=1&amp;b=2</a>.</p>',
  );
  fc.assert(
    fc.property(fc.oneof(text, near), (any) => {
      const tags = [...htmlOfText(any).matchAll(/<[^>]*>/g)].map(([tag]) => tag);
      assert.deepEqual(
        tags.filter((tag) => !/^<(?:p|\/p|br|\/a|a href="https?:\/\/[^"<>]*")>$/.test(tag)),
        [],
      );
    }),
  );
});
