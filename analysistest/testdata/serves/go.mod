module serves

go 1.26
