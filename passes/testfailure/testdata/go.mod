module example.com/testfailure

go 1.26
