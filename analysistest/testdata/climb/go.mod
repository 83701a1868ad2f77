module climb

go 1.26
