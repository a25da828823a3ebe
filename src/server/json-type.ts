/** Content-Type of every JSON answer. */
export const jsonType = 'application/json;charset=utf-8'
