import { words } from '../words.ts';
import type { KindColumns } from './columns.ts';

export const CUSTOMERS: KindColumns = {
  needs: [['email', 'external_id']],
  dates: ['date_of_birth', 'consent_at', 'unsubscribed_at'],
  properties: {
    external_id: {
      plain: words(
        'id, external id, customer id, customer number, member number, Kundennummer, numéro client',
        'client id, member id, person id, user id, customer no, Mitgliedsnummer, Mitglieds-Nr., Mitgliedsnr',
        'Kunden-Nr., n° adhérent, numéro adhérent, numéro d’adhérent, n° client, número de socio',
        'número de cliente, id cliente, codice cliente, numero tessera, klantnummer, lidnummer',
        'número de sócio, numer klienta, numer członkowski, ID klienta, מזהה, מזהה לקוח, מספר לקוח',
      ),
      mindbody: ['Client ID', 'ClientID', 'Barcode ID'],
      teamup: ['Customer ID'],
      momence: ['Member ID'],
      glofox: ['User ID', 'user_id'],
    },
    email: {
      plain: words(
        'email, email address, mail, E-Mail-Adresse, adresse e-mail, correo electrónico, e-mailadres',
        'primary email, email 1, E-mail 1 - Value, E-Mail, Mailadresse, courriel, adresse mail, correo',
        'email del cliente, indirizzo email, indirizzo e-mail, endereço de e-mail, adres e-mail',
        'adres email, אימייל, מייל, דוא״ל, כתובת אימייל, כתובת מייל',
      ),
      mindbody: ['Email', 'EmailName'],
      teamup: ['Email'],
      momence: ['Email'],
      glofox: ['email'],
    },
    first_name: {
      plain: words(
        'first name, given name, forename, Vorname, prénom, nombre, nome, voornaam, imię, first',
        'Ruf- und Vorname, prenom, שם פרטי',
      ),
      mindbody: ['First Name', 'FirstName'],
      teamup: ['First Name'],
      momence: ['First name'],
      glofox: ['first_name'],
    },
    last_name: {
      plain: words(
        'last name, family name, surname, Nachname, nom, apellidos, cognome, achternaam, nazwisko, last',
        'Familienname, nom de famille, apellido, sobrenome, apelido, familienaam, שם משפחה',
      ),
      mindbody: ['Last Name', 'LastName'],
      teamup: ['Last Name'],
      momence: ['Last name'],
      glofox: ['last_name'],
    },
    name: {
      plain: words(
        'name, full name, customer name, member name, client name, client, member, person',
        'Vor- und Nachname, nom complet, nombre completo, nome completo, nome e cognome, volledige naam',
        'naam, imię i nazwisko, שם, שם מלא, שם לקוח, שם הלקוח',
      ),
      mindbody: ['Client', 'Client Name'],
      teamup: ['Customer'],
      momence: ['Member'],
      glofox: ['Member Name'],
    },
    date_of_birth: {
      plain: words(
        'date of birth, birth date, birthday, dob, Geburtsdatum, date de naissance, geboortedatum',
        'Geburtstag, geb. Datum, naissance, date naissance, fecha de nacimiento, nacimiento',
        'data di nascita, nascita, data de nascimento, nascimento, data urodzenia, תאריך לידה, יום הולדת',
      ),
      mindbody: ['Birthday', 'Birthdate'],
      teamup: ['Date of Birth'],
      momence: ['Birthday'],
      glofox: ['birth'],
    },
    phone_number: {
      plain: words(
        'phone number, phone, mobile number, mobile, cell, telephone, Telefon, Handy, téléphone',
        'mobile phone, cell phone, phone 1 - value, Mobil, Mobilnummer, Mobiltelefon, Handynummer, portable',
        'téléphone portable, tél. portable, móvil, celular, cellulare, mobiel, mobiele nummer, telemóvel',
        'telefon komórkowy, komórka, Telefonnummer, Telefon privat, numéro de téléphone, teléfono, telefono',
        'telefoon, telefoonnummer, telefone, numer telefonu, home phone, day phone, work phone, טלפון, נייד',
        'טלפון נייד, מספר טלפון',
      ),
      mindbody: ['Mobile Phone', 'Cell Phone', 'CellPhone'],
      teamup: ['Mobile Number', 'Phone Number'],
      momence: ['Phone number'],
      glofox: ['phone'],
    },
    family: {
      plain: words(
        'guardian email, parent email, family email, payer email, family, family id, household',
        'household id, group, guardian, Familie, Familien-ID, E-Mail der Eltern, E-Mail Eltern, famille',
        'foyer, e-mail des parents, familia, grupo familiar, famiglia, nucleo familiare, gezin, família',
        'rodzina, משפחה, אימייל הורה',
      ),
    },
    is_dependent: {
      plain: words('is dependent, dependent, is child, is minor, minor, Kind, ist Kind, enfant, est mineur, ילד'),
    },
    email_consent: {
      plain: words(
        'email opt-in, email opt in, marketing opt-in, marketing opt in, newsletter, subscribed, opted in',
        'subscribed to emails, accepts marketing, accepts email marketing, email marketing consent',
        'marketing consent, email subscription status, Newsletter-Einwilligung, Werbeeinwilligung',
        'Werbung erlaubt, consentement marketing, accepte la newsletter, acepta publicidad, acepta marketing',
        'boletín, consenso marketing, consenso newsletter, nieuwsbrief, aceita marketing, zgoda marketingowa',
      ),
    },
    email_opt_out: {
      plain: words(
        'marketing opt-out, marketing opt out, email opt-out, email opt out, opted out, unsubscribed',
        'do not email, no marketing, keine Werbung, Newsletter abbestellt, désinscrit, désabonné, baja boletín',
        'no publicidad, disiscritto, uitgeschreven, geen reclame, sem marketing, wypisany',
      ),
    },
    consent_at: {
      plain: words(
        'CONFIRM_TIME, OPTIN_TIME, opt-in date, opt-in time, consent date, consent given at, subscribed at',
        'date subscribed, Einwilligung am, date de consentement, fecha de consentimiento, data consenso',
        'datum toestemming, data de consentimento, data zgody',
      ),
    },
    unsubscribed_at: {
      plain: words(
        'UNSUB_TIME, unsubscribe date, unsubscribe time, unsubscribed at, unsubscribed on, opt-out date',
        'date unsubscribed, Abgemeldet am, date de désinscription, fecha de baja, data disiscrizione',
        'uitgeschreven op, data de cancelamento, data wypisania',
      ),
    },
    labels: {
      plain: words(
        'tags, labels, label, client tags, client indexes, Etiketten, Schlagwörter, étiquettes, etiquetas',
        'etichette, tag, etykiety, tagi',
      ),
    },
    note: {
      plain: words(
        'notes, note, comment, comments, remarks, staff notes, client notes, alert, alerts, Bemerkung',
        'Bemerkungen, Notiz, Notizen, Anmerkung, Kommentar, remarque, remarques, commentaire, commentaires',
        'notas, nota, observaciones, comentarios, note interne, osservazioni, commenti, opmerking, opmerkingen',
        'notitie, notities, observações, comentários, uwagi, notatki, komentarz',
      ),
    },
    status: {
      plain: words(
        'status, client status, customer status, member status, Kundenstatus, statut, estado, stato, סטטוס',
        'סטטוס לקוח',
      ),
    },
  },
};
