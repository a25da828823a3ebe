module vigil/middleware

go 1.22
