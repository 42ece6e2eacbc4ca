/** Headings as products and people write them, and what is recognised in them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COLUMNS } from './columns/index.ts';
import { matchFile } from './match.ts';

/** Returns the kind, the product and the property of each column that is imported. */
const recognised = (headings: string) => {
  const names = headings.split(';');
  const { kind, product, unclear, properties } = matchFile(names, null);
  return [
    kind,
    product,
    unclear,
    Object.fromEntries(names.flatMap((name, i) => (properties[i] ? [[name, properties[i]]] : []))),
  ];
};

test('a product is recognised by names that only it uses', () => {
  assert.deepEqual(recognised('Client ID;Pricing Option;Email;Activation Date').slice(0, 2), [
    'memberships',
    'mindbody',
  ]);
  assert.deepEqual(recognised('Session name;Session date;Start time;End time').slice(0, 2), ['schedule', 'momence']);
  for (const headings of [
    'Customer ID;First Name;Email',
    'Member ID;Name;Email;Phone Number',
    'user_id;email;Birthday',
  ])
    assert.equal(recognised(headings)[1], null, headings);
});

test('a column named Type makes nobody a member of staff, and appointments are recognised by names of their own', () => {
  const [kind, , unclear, properties] = recognised(
    'Start Time;End Time;First Name;Last Name;Phone;Email;Type;Calendar;Appointment Price;Notes;Label;Appointment ID',
  );
  assert.deepEqual(
    [kind, unclear, properties],
    [
      'appointments',
      false,
      {
        'Start Time': 'start_date',
        'End Time': 'end_time',
        'First Name': 'customer_first_name',
        'Last Name': 'customer_last_name',
        Email: 'customer_email',
        Type: 'offering_type',
        Calendar: 'instructor',
        'Appointment ID': 'external_id',
      },
    ],
  );
  assert.deepEqual(recognised('Date;Start Time;Client Name;Service;Provider').slice(0, 3), [
    'appointments',
    null,
    false,
  ]);
  assert.deepEqual(recognised('First Name;Email;Appointment ID').slice(0, 3), ['customers', null, true]);
  assert.equal(recognised('Name;Email;Type;Start Date')[0], 'customers');
  assert.equal(recognised('First Name;Last Name;Email;Type')[0], 'customers');
  assert.deepEqual(recognised('First Name;Last Name;Email;Role').slice(0, 3), ['staff', null, false]);
});

test('columns of customers and memberships are recognised in nine languages', () => {
  const cases: readonly (readonly [string, string, Record<string, string>])[] = [
    [
      'Mitgliedsnummer;Vorname;Nachname;Mobil;E-Mail;Geburtsdatum',
      'customers',
      { Mitgliedsnummer: 'external_id', Mobil: 'phone_number', 'E-Mail': 'email', Geburtsdatum: 'date_of_birth' },
    ],
    [
      'E-Mail;Tarif;Vertragsbeginn;Vertragsende;Monatsbeitrag',
      'memberships',
      { Tarif: 'membership', Vertragsbeginn: 'start_date', Vertragsende: 'expiration_date', Monatsbeitrag: 'price' },
    ],
    [
      'Prénom;Nom;Courriel;Téléphone portable;N° adhérent',
      'customers',
      { Courriel: 'email', 'N° adhérent': 'external_id' },
    ],
    ['Courriel;Formule;Date de début;Montant', 'memberships', { Formule: 'membership', Montant: 'price' }],
    ['Nombre;Apellidos;Correo electrónico;Móvil', 'customers', { Móvil: 'phone_number', Nombre: 'first_name' }],
    ['Nome;Cognome;Indirizzo email;Cellulare', 'customers', { Cellulare: 'phone_number', Cognome: 'last_name' }],
    ['Voornaam;Achternaam;E-mailadres;Mobiel', 'customers', { Mobiel: 'phone_number', Voornaam: 'first_name' }],
    ['Nome;Sobrenome;Endereço de e-mail;Telemóvel', 'customers', { Telemóvel: 'phone_number', Sobrenome: 'last_name' }],
    ['Imię;Nazwisko;Adres e-mail;Telefon komórkowy', 'customers', { Imię: 'first_name', Nazwisko: 'last_name' }],
    ['שם פרטי;שם משפחה;אימייל;טלפון נייד', 'customers', { 'שם פרטי': 'first_name', 'טלפון נייד': 'phone_number' }],
    ['Given Name;Family Name;E-mail 1 - Value;Phone 1 - Value', 'customers', { 'E-mail 1 - Value': 'email' }],
    ['Person ID;Name;Email', 'customers', { 'Person ID': 'external_id' }],
    [
      'Email Address;Member Name;Membership Plan;Active Since;Next Renewal',
      'memberships',
      { 'Active Since': 'start_date', 'Next Renewal': 'next_renewal', 'Member Name': 'customer_name' },
    ],
    [
      'FirstName;LastName;Membership;BeginDate',
      'memberships',
      { BeginDate: 'start_date', LastName: 'customer_last_name' },
    ],
  ];
  for (const [headings, kind, expected] of cases) {
    const [found, , unclear, properties] = recognised(headings) as [
      string,
      string | null,
      boolean,
      Record<string, string>,
    ];
    assert.deepEqual([found, unclear], [kind, false], headings);
    for (const [name, property] of Object.entries(expected))
      assert.equal(properties[name], property, `${headings}: ${name}`);
  }
});

test('every property that a file needs is one that a column can have', () => {
  for (const { needs, properties } of Object.values(COLUMNS))
    for (const property of needs.flat()) assert.ok(property in properties, property);
});
