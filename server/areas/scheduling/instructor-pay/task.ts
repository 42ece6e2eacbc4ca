/** Name of the job that calculates pay. It is stored with queued jobs. */
export const CALCULATE_TASK = 'calculate_instructor_pay';
