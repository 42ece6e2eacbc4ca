/** Heading rows as products and people write them, each with the kind that it must give. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchFile } from './match.ts';
import type { KindName } from './columns/index.ts';

/** `?`: the kind is a question. */
const HEADINGS: readonly (readonly [kind: KindName | '?', headings: string])[] = [
  ['customers', 'ID,Barcode ID,Last Name,First Name,Email,Mobile Phone,Birthdate,Address,Account Balance,Notes'],
  ['customers', 'Client ID,Client,Email,Phone,Birthday'],
  ['customers', 'First Name,Last Name,Email,Gender,Date of Birth,Client Status,Default Program,Is Dependent,Group'],
  ['customers', 'First Name,Last Name,Phone,Email,Notes,Days Since Last Appointment,Banned'],
  ['customers', 'Customer,Mobile,Email,Customer Since,Last Visited,Membership,Referral Source'],
  ['customers', 'Email Address,First Name,Last Name,Phone Number,Birthday,MEMBER_RATING,OPTIN_TIME,UNSUB_TIME,TAGS'],
  ['customers', 'Name,Given Name,Family Name,Birthday,Notes,E-mail 1 - Value,Phone 1 - Value,Organization 1 - Name'],
  ['customers', 'Mitgliedsnummer,Anrede,Vorname,Nachname,Straße,PLZ,Ort,Telefon,E-Mail,Geburtsdatum'],
  ['customers', 'Nom,Prénom,Courriel,Téléphone,Date de naissance'],
  ['customers', 'Nombre,Apellidos,Correo electrónico,Teléfono,Fecha de nacimiento,Notas'],
  ['customers', 'Nome,Cognome,Indirizzo email,Cellulare,Data di nascita'],
  ['customers', 'Voornaam,Achternaam,E-mailadres,Telefoonnummer,Geboortedatum'],
  ['customers', 'Nome,Apelido,Endereço de e-mail,Telemóvel'],
  ['customers', 'Imię,Nazwisko,Adres e-mail,Numer telefonu'],
  ['customers', 'שם פרטי,שם משפחה,אימייל,טלפון נייד,תאריך לידה'],
  ['customers', 'Member ID,First name,Last name,Email,Phone number,Birthday,Tags'],
  ['customers', 'user_id,first_name,last_name,email,phone,birth'],
  ['memberships', 'Client ID,Client,Email,Pricing Option,Activation Date,Expiration Date,Remaining,Status,Price'],
  ['memberships', 'Client ID,Client Name,Contract Name,Start Date,End Date,Payment Amount'],
  ['memberships', 'Email Address,Member Name,Membership Plan,Active Since,Next Renewal,Marketing Opt-out'],
  ['memberships', 'FirstName,LastName,Membership,BeginDate'],
  ['memberships', 'Email,Membership,Start Date,Status'],
  ['memberships', 'Customer Membership ID,Customer Email,Membership Name,Start Date,Expiration Date,Classes Remaining'],
  ['memberships', 'Bought Membership ID,Customer email,Membership name,Start date,End date,Credits left,Renewal price'],
  ['memberships', 'Mitgliedsnummer,Name,Tarif,Vertragsbeginn,Vertragsende,Monatsbeitrag,Zahlweise'],
  ['memberships', 'Adhérent,Courriel,Formule,Date de début,Date de fin,Séances restantes'],
  ['memberships', 'Correo electrónico,Tarifa,Fecha de inicio,Fecha de vencimiento,Cuota mensual'],
  ['memberships', 'Indirizzo email,Abbonamento,Data inizio,Scadenza,Ingressi residui'],
  ['memberships', 'אימייל,סוג מנוי,תאריך התחלה,תאריך סיום,כניסות שנותרו'],
  ['schedule', 'Date,Day,Start Time,End Time,Class,Staff,Location,Capacity,Booked'],
  ['schedule', 'Session name,Session date,Start time,End time,Teacher,Location,Capacity'],
  ['schedule', 'Wochentag,Uhrzeit,Kurs,Trainer,Raum,Plätze'],
  ['schedule', 'Kurs,Wochentag,Beginn,Ende,Kursleiter,Saal'],
  ['schedule', 'Cours,Jour,Heure,Durée,Professeur,Salle'],
  ['schedule', 'Clase,Día,Hora,Duración,Profesor,Sala,Plazas'],
  ['schedule', 'Class ID,Date,Start Time,Duration,Class,Room'],
  ['schedule', 'Class Name,Start Date,Start Time,End Time,Instructor'],
  ['schedule', 'Event ID,Title,Date,Start time,Duration,Location'],
  ['bookings', 'Client ID,Client,Email,Class,Date,Start Time,Status'],
  ['bookings', 'Client ID,Class Name,Start Date'],
  ['bookings', 'Client ID,Class Name,Class Date,Class Time,Visit Status'],
  ['bookings', 'Client Name,Class Name,Start Date,Start Time,Instructor'],
  ['bookings', 'Email,Event Name,Starts At,Attendance Status'],
  ['bookings', 'Member ID,Session ID,Session name,Session date,Booking status'],
  ['bookings', 'First Name,Last Name,Email,Class,Date,Time,Teacher,Room'],
  ['bookings', 'Name,E-Mail,Kurs,Datum,Uhrzeit,Buchungsstatus'],
  ['bookings', 'Nombre,Correo electrónico,Clase,Fecha,Hora,Estado'],
  ['bookings', 'Nom,Prénom,Courriel,Cours,Date du cours,Heure'],
  ['bookings', 'email;Class Name;Booking Date;Time;Booking Status'],
  [
    'appointments',
    'Start Time,End Time,First Name,Last Name,Phone,Email,Type,Calendar,Appointment Price,Notes,Appointment ID',
  ],
  ['appointments', 'Date,Start Time,Client Name,Service,Provider'],
  ['appointments', 'Kunde,E-Mail,Behandlung,Datum,Uhrzeit,Mitarbeiter'],
  ['staff', 'First Name,Last Name,Email,Role'],
  ['staff', 'Staff ID,Staff Name,Email,Permission Group'],
  ['staff', 'Vorname,Nachname,E-Mail-Adresse,Rolle'],
  ['balances', 'Client ID,Client,Email,Account Balance'],
  ['balances', 'Client Name,Email,Amount Due,Date'],
  ['balances', 'Email,Account Credit'],
  ['balances', 'Mitgliedsnummer,Name,Guthaben,Stichtag'],
  ['balances', 'Nom,Prénom,Courriel,Montant dû'],
  ['balances', 'Nombre,Correo electrónico,Saldo a favor'],
  ['balances', 'Indirizzo email,Importo dovuto'],
  ['gift_cards', 'Gift Card Number,Balance,Expiration Date'],
  ['gift_cards', 'Code,Remaining,Recipient,Status'],
  ['gift_cards', 'Client ID,Client,Email,Gift Card Number,Original Value,Remaining Balance,Purchase Date'],
  ['gift_cards', 'Certificate Code,Amount,Email,First Name,Last Name'],
  ['gift_cards', 'Gutscheinnummer,Restwert,Gültig bis,Kaufdatum'],
  ['gift_cards', 'Numéro de carte cadeau,Solde,Date d’expiration'],
  ['gift_cards', 'Código de tarjeta regalo,Saldo restante,Fecha de caducidad'],
  ['gift_cards', 'Codice carta regalo,Saldo residuo,Scadenza'],
  ['gift_cards', 'Cadeauboncode,Resterend saldo,Geldig tot'],
  ['gift_cards', 'Código do cartão-presente,Saldo restante,Validade'],
  ['gift_cards', 'Kod karty podarunkowej,Pozostała kwota,Ważna do'],
  ['gift_cards', 'מספר שובר,יתרה,בתוקף עד'],
  ['customers', 'Card Number,First Name,Last Name,Email,Birthday,Balance'],
  ['?', 'First Name,Email,Appointment ID'],
  ['?', 'Order ID,Email,Gift Card Number,Total'],
  ['?', 'Transaction ID,Gift Card Number,Balance'],
];

test('each heading row gives its kind', () => {
  for (const [kind, headings] of HEADINGS) {
    const found = matchFile(headings.split(/[,;]/), null);
    assert.equal(found.unclear ? '?' : found.kind, kind, headings);
  }
});

test('a room is no venue', () => {
  for (const room of ['Room', 'Raum', 'Saal', 'Salle', 'Sala', 'חדר']) {
    const { properties } = matchFile(['Class', 'Date', 'Start Time', 'End Time', room], 'schedule');
    assert.equal(properties.at(-1), 'room', room);
  }
});
