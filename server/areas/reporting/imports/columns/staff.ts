import type { KindColumns } from './columns.ts';

export const STAFF: KindColumns = {
  needs: [['email'], ['role', 'staff_id'], ['first_name', 'name']],
  dates: [],
  properties: {
    staff_id: {
      plain: ['staff id', 'employee id', 'instructor id', 'trainer id', 'מספר עובד'],
      mindbody: ['Staff ID', 'Trainer ID'],
      teamup: ['Instructor ID'],
      momence: ['Teacher ID'],
      glofox: ['Trainer ID'],
    },
    email: { plain: ['email', 'email address', 'E-Mail-Adresse', 'אימייל'], mindbody: ['Email'], teamup: ['Email'] },
    first_name: {
      plain: ['first name', 'Vorname', 'prénom', 'שם פרטי'],
      mindbody: ['First Name'],
      teamup: ['First Name'],
    },
    last_name: {
      plain: ['last name', 'surname', 'Nachname', 'nom', 'שם משפחה'],
      mindbody: ['Last Name'],
      teamup: ['Last Name'],
    },
    name: {
      plain: ['name', 'full name', 'staff name', 'instructor', 'שם', 'שם מלא'],
      mindbody: ['Staff Name', 'Staff Member'],
      momence: ['Teacher'],
      glofox: ['Trainer'],
    },
    status: { plain: ['status', 'staff status', 'employment status'] },
    role: {
      plain: ['role', 'position', 'job title', 'Rolle', 'rôle', 'תפקיד'],
      mindbody: ['Staff Type', 'Permission Group'],
      teamup: ['Role'],
      momence: ['Role'],
    },
  },
};
